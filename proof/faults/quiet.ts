import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import type { FakeStripe } from "../../test/fakes/stripe/stripe.ts";
import { withClient } from "../../test/postgres.ts";
import { scaledTimeout } from "../../test/time-limits.ts";

/** Unfinished work; jobs that wait for their time and reminders to pay are not counted. */
const unfinishedWork = `
	select 'jobs' as kind, count(*)::integer from jobs.job
		where state < 'completed' and name in ('fulfil-order', 'invoice-order', 'carry-out-refund', 'credit-refund')
	union all select 'orders', count(*)::integer from orders where status in ('paid', 'processing')
	union all select 'invoices', count(*)::integer from orders left join invoices on invoices.order_id = orders.id and kind = 'invoice'
		where paid_at is not null and orders.id = purchase_id and document_id is null
	union all select 'refunds', count(*)::integer from refunds join orders on orders.id = refunds.order_id
		where refunds.status in ('requested', 'pending') and orders.disputed_at is null
	union all select 'mails', count(*)::integer from mails where sent_at is null and bounced_at is null and kind <> 'resume'`;

/** Open sessions of orders that are no longer pending: the sweeper closes them. */
const needlessSessions = `
	select 'sessions' as kind, count(*)::integer from payment_sessions join orders on orders.id = order_id
		where payment_sessions.status = 'open' and orders.status <> 'pending'`;

/**
 * Waits until all work is done, at most `timeout` milliseconds (see scaledTimeout).
 * @param sweep also waits for the sweeper, which runs every minute.
 * @returns the work that is left, as a sentence; empty when all is done.
 */
export async function waitUntilQuiet(
	connection: pg.ClientConfig,
	stripe: FakeStripe,
	{ timeout, sweep }: { timeout: number; sweep: boolean },
): Promise<string> {
	const began = performance.now();
	let delivered = false;
	void stripe.delivered().then(() => {
		delivered = true;
	});
	const query = sweep ? `${unfinishedWork} union all ${needlessSessions}` : unfinishedWork;
	for (;;) {
		const { rows } = await withClient(connection, (client) => client.query<{ kind: string; count: number }>(query));
		const left = [...rows.filter(({ count }) => count > 0).map(({ kind, count }) => `${count} ${kind}`), ...(delivered ? [] : ["events"])];
		if (left.length === 0 || performance.now() - began > scaledTimeout(timeout)) return left.join(", ");
		await wait(500);
	}
}
