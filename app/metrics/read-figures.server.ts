import { sql } from "kysely";
import type { Trx } from "../../server/database/database.ts";
import { readQueue } from "../../server/jobs.ts";
import type { Figure, FigureName, Readings } from "../../server/observability/metrics.ts";
import type { Runtime } from "../../server/runtime.ts";
import { typedKeys } from "../../server/types/objects.ts";
import { serviceCodes } from "../catalogue/services.ts";
import { importTimes } from "../companies/companies.server.ts";
import { countWithoutPdf } from "../invoices/invoices.server.ts";
import { readUnsentMails } from "../mail/mails.server.ts";
import { readLongestWait } from "../order-copies/order-copies.server.ts";
import { orderStatuses } from "../orders/lifecycle.ts";
import { countOrdersByState, readPromises } from "../orders/orders.server.ts";
import { refundReasonLabels } from "../refunds/refund-reason-labels.ts";
import { sumOpenRefunds, sumRefundsOfLastHour } from "../refunds/refunds.server.ts";
import { listLastProbes } from "../status/probes.server.ts";

/** Milliseconds for one statement: a metric is not worth a database that is busy with orders. */
const statementTimeout = 1000;

/** States, services and reasons without a row are 0, as an alert cannot look at what is not there. */
const reasons = typedKeys(refundReasonLabels);

/** What the metrics tell of the whole shop, by subject. What costs most, or says least, comes last. */
const subjects: Record<string, (trx: Trx, now: Date) => Promise<Figure[]>> = {
	async jobs(trx) {
		const queue = await readQueue(trx);
		return [
			...queue.jobs.flatMap(({ job: kind, waiting, lag, failed }) => [
				one("shop_jobs_waiting", waiting, { kind }),
				one("shop_jobs_lag_seconds", lag, { kind }),
				one("shop_jobs_failed", failed, { kind }),
			]),
			one("shop_job_processes", queue.processes),
		];
	},
	async mails(trx, now) {
		const { unsent, age } = await readUnsentMails(trx, now);
		return [one("shop_mails_unsent", unsent), one("shop_mails_unsent_age_seconds", age)];
	},
	async promises(trx, now) {
		const promises = await readPromises(trx, now);
		return [
			...serviceCodes.map((service) =>
				one("shop_orders_past_promise", promises.find((row) => row.service === service)?.late ?? 0, { service }),
			),
			...promises.map(({ service, seconds: left }) => one("shop_next_promise_seconds", left, { service })),
		];
	},
	async refunds(trx, now) {
		const [open, succeeded] = [await sumOpenRefunds(trx), await sumRefundsOfLastHour(trx, now)];
		return [
			...open.map(({ status, reason, cents }) => one("shop_refunds_open_euros", cents / 100, { status, reason })),
			...reasons.map((reason) =>
				one("shop_refunds_last_hour_euros", (succeeded.find((row) => row.reason === reason)?.cents ?? 0) / 100, { reason }),
			),
		];
	},
	async parts(trx) {
		const probes = await listLastProbes(trx);
		return [
			...probes.map(({ part, ok }) => one("shop_part_ready", ok ? 1 : 0, { part })),
			...(probes.length > 0 ? [one("shop_parts_asked_timestamp_seconds", Math.max(...probes.map(({ at }) => seconds(at))))] : []),
		];
	},
	async invoices(trx) {
		return [one("shop_invoices_without_pdf", await countWithoutPdf(trx))];
	},
	async copies(trx, now) {
		return [one("shop_copies_waiting_age_seconds", await readLongestWait(trx, now))];
	},
	async companies(trx) {
		const sources = await importTimes(trx);
		return sources.map(({ name, imported_at }) => one("shop_companies_imported_timestamp_seconds", seconds(imported_at), { source: name }));
	},
	async orders(trx, now) {
		const orders = await countOrdersByState(trx, now);
		return orderStatuses.map((state) => one("shop_orders", orders.find(({ status }) => status === state)?.orders ?? 0, { state }));
	},
};

/** Each subject in a short transaction of its own, so that a slow statement costs its own figures alone. */
export function figureReadings({ db, now }: Pick<Runtime, "db" | "now">): Readings {
	return Object.fromEntries(
		Object.entries(subjects).map(([subject, read]) => [
			subject,
			() =>
				db.transaction().execute(async (trx) => {
					await sql.raw(`set local statement_timeout = ${statementTimeout}`).execute(trx);
					return read(trx, now());
				}),
		]),
	);
}

const one = (name: FigureName, value: number, labels: Record<string, string> = {}): Figure => ({ name, labels, value });

const seconds = (instant: Date) => instant.getTime() / 1000;
