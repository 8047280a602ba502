import type { Context } from "../../../server/runtime.ts";
import { readKey } from "../keys.server.ts";
import { findOrder, lockOrder, recordEvent, updateOrder } from "../orders.store.server.ts";
import { describeOrderWatch, findDelivery } from "./describe-watch.server.ts";
import { getEarliestDelivery, getWatchEnd, toDay } from "./extract-watch.ts";

export type WatchState =
	/** `isShown`: whether the tracking page says now what was published. */
	| { state: "watched"; companyName: string; extractOn: string; endsOn: string; isShown: boolean }
	/** No e-mail follows: the customer ended them, the days of the watch are past, or the order is erased. */
	| { state: "ended"; isShown: boolean }
	| { state: "wrong" };

/**
 * Reads the state behind the link that ends a watch. Changes nothing, because mail scanners open links too.
 * A watch that only pauses, such as during a dispute, can still be ended.
 */
export async function getWatchState(context: Context, token: string): Promise<WatchState> {
	const { db, now } = context;
	const read = readKey(context, "extract-watch-end", token);
	if (!read.ok) return { state: "wrong" };
	const order = await findOrder(db, read.key.id);
	const delivery = order && (await findDelivery(db, order));
	if (order === null || delivery === null) return { state: "ended", isShown: false };
	const { issuedAt, deliveredAt } = delivery;
	const isShown = (await describeOrderWatch(db, order, now())) !== null;
	if (order.watch_ended_at !== null || deliveredAt <= getEarliestDelivery(now())) return { state: "ended", isShown };
	return { state: "watched", companyName: order.company_name, extractOn: toDay(issuedAt), endsOn: getWatchEnd(deliveredAt), isShown };
}

/** Ends the e-mails about what is published after an extract. A repetition changes nothing. */
export async function endWatch(context: Context, token: string): Promise<void> {
	const read = readKey(context, "extract-watch-end", token);
	if (!read.ok) return;
	const orderId = read.key.id;
	const now = context.now();
	await context.db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		if (order === null || order.erased_at !== null || order.watch_ended_at !== null) return;
		await updateOrder(trx, orderId, { watch_ended_at: now });
		await recordEvent(trx, { orderId, type: "watch_ended", now });
	});
}
