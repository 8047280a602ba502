import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { withClient } from "../../../test/postgres.ts";
import type { Figure } from "../bench.ts";
import { formatFigure } from "../percentiles.ts";
import { baselineTransactions } from "./baseline.ts";

/**
 * Counts the transactions that write, those of the queue included, from an order's form until its delivery and the work after it. Each order
 * waits for the end of the one before, so that no job shares a transaction with another's. What the shop writes without orders in the same
 * time is subtracted; its jobs of every minute make that exact to some tenths only.
 */
export async function measureTransactions(connection: pg.ClientConfig, orderOne: () => Promise<unknown>, orders: number): Promise<Figure> {
	await untilDone(connection);
	const [from, started] = [await countTransactions(connection), performance.now()];
	for (let order = 0; order < orders; order++) {
		await orderOne();
		await untilDone(connection);
	}
	const [placed, ended] = [await countTransactions(connection), performance.now()];
	await wait(ended - started);
	const idle = (await countTransactions(connection)) - placed;
	return {
		label: "Transactions that write, from the form to the delivery",
		unit: "",
		value: (placed - from - idle) / orders,
		goal: 14,
		details: [
			`${orders} orders one after the other, with the jobs’ own transactions; ${formatFigure(idle / orders)} more per order without orders in the same time, already subtracted`,
		],
		baseline: { value: baselineTransactions, label: "those of the baseline, which delivers nothing", maxRatio: 30 },
	};
}

/** The transactions that have written since the database began: one that only reads gets no number. */
const countTransactions = (connection: pg.ClientConfig) =>
	withClient(connection, async (client) =>
		Number((await client.query("select pg_snapshot_xmax(pg_current_snapshot())::text as next")).rows[0].next),
	);

/** Waits until all orders are delivered, their e-mails sent, their copies made, and no job is due. */
const untilDone = (connection: pg.ClientConfig) =>
	withClient(connection, async (client) => {
		const left = `select (select count(*) from orders where status <> 'completed') + (select count(*) from mails where sent_at is null)
			+ (select count(*) from order_copy_requests)
			+ (select count(*) from jobs.job where state in ('created', 'retry', 'active') and start_after <= now()) as left`;
		while (Number((await client.query(left)).rows[0].left) > 0) await wait(20);
	});
