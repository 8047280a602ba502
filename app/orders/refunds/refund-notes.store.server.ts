import { anyOf, type Database, type Trx } from "../../../server/database/database.ts";

/** SQL on what operators note about refunds. */

/** Records why an operator stopped an order, on the refund that follows from it. */
export async function annotateRefunds(
	trx: Trx,
	orderId: string,
	{ cause, note, by }: { cause: string; note: string | null; by: string },
): Promise<void> {
	const query = trx.updateTable("refunds").set({ cause, note, requested_by: by }).where("order_id", "=", orderId);
	await query.where("reason", "=", "failed").where("cause", "is", null).execute();
}

/** Records that the customer got the money of a failed or refused refund in another way. @returns false when it was recorded before. */
export async function closeFailedRefund(db: Database, id: string, { note, now }: { note: string; now: Date }): Promise<boolean> {
	const query = db.updateTable("refunds").set({ closed_at: now, note }).where("id", "=", id).where("closed_at", "is", null);
	return (await query.where("status", "in", ["failed", "refused"]).executeTakeFirst()).numUpdatedRows > 0n;
}

/** Deletes what operators noted about refunds. */
export async function anonymiseRefundNotes(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.updateTable("refunds").set({ note: null }).where("order_id", "=", anyOf(orderIds)).where("note", "is not", null).execute();
}
