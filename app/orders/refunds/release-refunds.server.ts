import type { Context } from "../../../server/runtime.ts";
import { type Refund, releaseHeldRefunds } from "./refunds.store.server.ts";

/**
 * Releases refunds that wait for a person; they leave at once. Nothing happens to those that have left already.
 * @param only an order's; null: all of them. @param by the operator's name.
 * @returns the released refunds.
 */
export async function releaseRefunds({ db, jobs, now }: Context, only: string | null, by: string): Promise<Refund[]> {
	return db.transaction().execute(async (trx) => {
		const released = await releaseHeldRefunds(trx, { orderId: only, by, now: now() });
		for (const { id } of released) await jobs.send(trx, "carry-out-refund", { refundId: id });
		return released;
	});
}
