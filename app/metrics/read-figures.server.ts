import { sql } from "kysely";
import { readQueue } from "../../server/jobs.ts";
import type { Figure, FigureName } from "../../server/metrics.ts";
import type { Runtime } from "../../server/runtime.ts";
import { services } from "../catalogue/services.ts";
import { importTimes } from "../companies/companies.store.server.ts";
import { countWithoutPdf } from "../invoices/invoices.store.server.ts";
import { readUnsentMails } from "../mail/mails.store.server.ts";
import { countOrdersByState, readPromises, sumRefunds } from "../orders/figures.store.server.ts";
import type { OrderStatus } from "../orders/lifecycle.ts";
import { listLastProbes } from "../status/status.store.server.ts";

/** Milliseconds for one of the statements: a metric is not worth a database that is busy with orders. */
const statementTimeout = 3000;

/** States and services that no order is in or of are 0, as an alert cannot look at what is not there. */
const states: OrderStatus[] = ["pending", "paid", "processing", "completed", "failed"];

/**
 * Reads what the metrics tell of the whole shop, in one short transaction.
 * @throws when the database does not answer in time.
 */
export function readFigures({ db, now }: Pick<Runtime, "db" | "now">): Promise<Figure[]> {
	return db.transaction().execute(async (trx) => {
		await sql.raw(`set local statement_timeout = ${statementTimeout}`).execute(trx);
		const at = now();
		const orders = await countOrdersByState(trx);
		const promises = await readPromises(trx, at);
		const queue = await readQueue(trx);
		const mails = await readUnsentMails(trx, at);
		const refunds = await sumRefunds(trx);
		const probes = await listLastProbes(trx);
		const euros = (cents: number) => cents / 100;
		const asked = Math.max(...probes.map(({ at: instant }) => seconds(instant)));
		return [
			...states.map((state) => one("shop_orders", orders.find(({ status }) => status === state)?.orders ?? 0, { state })),
			...Object.keys(services).map((service) =>
				one("shop_orders_past_promise", promises.find((row) => row.service === service)?.late ?? 0, { service }),
			),
			...promises.map(({ service, seconds: left }) => one("shop_next_promise_seconds", left, { service })),
			...queue.jobs.flatMap(({ job, waiting, lag, failed }) => [
				one("shop_jobs_waiting", waiting, { job }),
				one("shop_jobs_lag_seconds", lag, { job }),
				one("shop_jobs_failed", failed, { job }),
			]),
			one("shop_job_processes", queue.processes),
			one("shop_mails_unsent", mails.unsent),
			one("shop_mails_unsent_age_seconds", mails.age),
			...refunds.map(({ status, reason, cents }) =>
				status === "succeeded"
					? one("shop_refunds_succeeded_euros_total", euros(cents), { reason })
					: one("shop_refunds_open_euros", euros(cents), { status, reason }),
			),
			one("shop_invoices_without_pdf", await countWithoutPdf(trx)),
			...probes.map(({ part, ok }) => one("shop_part_ready", ok ? 1 : 0, { part })),
			...(probes.length > 0 ? [one("shop_parts_asked_timestamp_seconds", asked)] : []),
			...(await importTimes(trx)).map(({ name, imported_at }) =>
				one("shop_companies_imported_timestamp_seconds", seconds(imported_at), { source: name }),
			),
		];
	});
}

const one = (name: FigureName, value: number, labels: Record<string, string> = {}): Figure => ({ name, labels, value });

const seconds = (instant: Date) => instant.getTime() / 1000;
