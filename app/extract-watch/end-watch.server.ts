import type { Context } from "../../server/runtime.ts";
import { findOrder, lockOrder, recordEvent, updateOrder } from "../orders/orders.server.ts";
import { describeOrderWatch } from "./describe-watch.server.ts";
import { parseWatchEndToken } from "./links.server.ts";

export type WatchState =
	| { state: "watched"; companyName: string; extractOn: string; endsOn: string }
	/** `ended`: also when the order has no watch, or is no longer there. */
	| { state: "ended" | "wrong" };

/** Reads the state behind the link that ends a watch. Changes nothing, because mail scanners open links too. */
export async function getWatchState({ db, signer, now }: Context, token: string): Promise<WatchState> {
	const orderId = parseWatchEndToken({ signer }, token);
	if (orderId === null) return { state: "wrong" };
	const order = await findOrder(db, orderId);
	const watch = order && order.watch_ended_at === null ? await describeOrderWatch(db, order, now()) : null;
	if (order === null || watch === null || watch.over) return { state: "ended" };
	return { state: "watched", companyName: order.company_name, extractOn: watch.extractOn, endsOn: watch.endsOn };
}

/** Ends the e-mails about what is published after an extract. A repetition changes nothing. */
export async function endWatch(context: Context, token: string): Promise<void> {
	const orderId = parseWatchEndToken(context, token);
	if (orderId === null) return;
	const now = context.now();
	await context.db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		if (order === null || order.erased_at !== null || order.watch_ended_at !== null) return;
		await updateOrder(trx, orderId, { watch_ended_at: now });
		await recordEvent(trx, { orderId, type: "watch_ended", now });
	});
}
