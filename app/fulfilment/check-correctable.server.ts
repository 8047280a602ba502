import type { Database, Trx } from "../../server/database/database.ts";
import type { Order } from "../orders/order.ts";
import { listEffectiveRefunds } from "../orders/refunds/refunds.store.server.ts";

export type NotCorrectable = "not-paid" | "failed" | "erased" | "disputed" | "refunded";

/** @returns why an order can no longer be corrected; null while its document is owed or delivered. */
export async function checkCorrectable(db: Database | Trx, order: Order): Promise<NotCorrectable | null> {
	if (order.erased_at !== null) return "erased";
	if (order.status === "pending") return "not-paid";
	if (order.status === "failed") return "failed";
	if (order.disputed_at !== null) return "disputed";
	const refunds = await listEffectiveRefunds(db, order.id);
	const total = refunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
	// after a refund for lateness the document is still owed
	const ended = total >= order.price_cents && refunds.every(({ reason }) => reason !== "late");
	return ended ? "refunded" : null;
}
