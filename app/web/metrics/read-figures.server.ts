import { sql } from "kysely";
import type { Trx } from "../../../server/database/database.ts";
import { getQueueFigures, readJobProcesses } from "../../../server/jobs.ts";
import type { Figure, FigureName, FigureReaders } from "../../../server/observability/metrics.ts";
import type { Runtime } from "../../../server/runtime.ts";
import { typedKeys } from "../../../server/types/objects.ts";
import { serviceCodes } from "../../catalogue/services.ts";
import { findBulletinState } from "../../companies/bulletin/find-bulletin-state.server.ts";
import { listImportTimes } from "../../companies/companies.store.server.ts";
import { readUnsentMails } from "../../mail/mails.store.server.ts";
import { getLongestWait } from "../../orders/copies/order-copies.store.server.ts";
import { countWithoutPdf } from "../../orders/invoices/invoices.store.server.ts";
import { orderStatuses } from "../../orders/lifecycle.ts";
import { countOrdersByState, readPromises } from "../../orders/order-figures.store.server.ts";
import { sumOpenRefunds, sumRefundsOfLastHour } from "../../orders/refunds/refund-figures.store.server.ts";
import { refundReasonLabels } from "../../orders/refunds/refund-reason-labels.ts";
import { countUnannounced } from "../../payments/payments.store.server.ts";
import { listLastProbes } from "../status/status.store.server.ts";

/** Milliseconds for one statement: metrics must not slow down a busy database. */
const statementTimeoutMs = 1000;

/** States, services and reasons without a row are 0: alerts cannot compare absent series. */
const reasons = typedKeys(refundReasonLabels);

/** The shop's figures by subject. The costliest and least important come last. */
const subjects: Record<string, (trx: Trx, now: Date) => Promise<Figure[]>> = {
	async jobs(trx) {
		const { processes, scheduleAge } = await readJobProcesses(trx);
		return [
			...(await getQueueFigures(trx)).flatMap(({ job: kind, waiting, lag, failed }) => [
				figure("shop_jobs_waiting", waiting, { kind }),
				figure("shop_jobs_lag_seconds", lag, { kind }),
				figure("shop_jobs_failed", failed, { kind }),
			]),
			figure("shop_job_processes", processes),
			...(scheduleAge === null ? [] : [figure("shop_schedule_age_seconds", scheduleAge)]),
		];
	},
	async mails(trx, now) {
		const { unsent, age } = await readUnsentMails(trx, now);
		return [figure("shop_mails_unsent", unsent), figure("shop_mails_unsent_age_seconds", age)];
	},
	async payments(trx, now) {
		return [figure("shop_payments_unannounced", await countUnannounced(trx, now))];
	},
	async promises(trx, now) {
		const promises = await readPromises(trx, now);
		return [
			...serviceCodes.map((service) =>
				figure("shop_orders_past_promise", promises.find((row) => row.service === service)?.late ?? 0, { service }),
			),
			...promises.map(({ service, seconds: secondsLeft }) => figure("shop_next_promise_seconds", secondsLeft, { service })),
		];
	},
	async refunds(trx, now) {
		const [open, lastHour] = [await sumOpenRefunds(trx, now), await sumRefundsOfLastHour(trx, now)];
		return [
			...open.map(({ status, reason, cents }) => figure("shop_refunds_open_euros", cents / 100, { status, reason })),
			...reasons.map((reason) =>
				figure("shop_refunds_last_hour_euros", (lastHour.find((row) => row.reason === reason)?.cents ?? 0) / 100, { reason }),
			),
		];
	},
	async parts(trx) {
		const probes = await listLastProbes(trx);
		return [
			...probes.map(({ part, ok }) => figure("shop_part_ready", ok ? 1 : 0, { part })),
			...(probes.length > 0 ? [figure("shop_parts_asked_timestamp_seconds", Math.max(...probes.map(({ at }) => toSeconds(at))))] : []),
		];
	},
	async invoices(trx) {
		return [figure("shop_invoices_without_pdf", await countWithoutPdf(trx))];
	},
	async copies(trx, now) {
		return [figure("shop_copies_waiting_age_seconds", await getLongestWait(trx, now))];
	},
	async companies(trx) {
		const sources = await listImportTimes(trx);
		return sources.map(({ name, imported_at }) =>
			figure("shop_companies_imported_timestamp_seconds", toSeconds(imported_at), { source: name }),
		);
	},
	async bulletin(trx, now) {
		const bulletin = await findBulletinState(trx, now);
		// 0: switched off, or never read
		const readUntil = "readUntil" in bulletin ? Date.parse(bulletin.readUntil) / 1000 : 0;
		return [figure("shop_bulletin_read_until_timestamp_seconds", readUntil)];
	},
	async orders(trx, now) {
		const orders = await countOrdersByState(trx, now);
		return orderStatuses.map((state) => figure("shop_orders", orders.find(({ status }) => status === state)?.orders ?? 0, { state }));
	},
};

/** Reads each subject in a separate short transaction, so that a slow statement costs only its subject's figures. */
export function createFigureReaders({ db, now }: Pick<Runtime, "db" | "now">): FigureReaders {
	return Object.fromEntries(
		Object.entries(subjects).map(([subject, readFigures]) => [
			subject,
			() =>
				db.transaction().execute(async (trx) => {
					await sql.raw(`set local statement_timeout = ${statementTimeoutMs}`).execute(trx);
					return readFigures(trx, now());
				}),
		]),
	);
}

const figure = (name: FigureName, value: number, labels: Record<string, string> = {}): Figure => ({ name, labels, value });

const toSeconds = (instant: Date) => instant.getTime() / 1000;
