import { createHash } from "node:crypto";
import type { Trx } from "../../server/database.ts";
import type { Order, OrderDraft } from "./order.ts";
import { findOrderByKey, insertOrder } from "./orders.store.server.ts";

export type PlacedOrder = { ok: true; order: Order; isNew: boolean } | { ok: false; reason: "key-reused" };

/**
 * Makes a pending order in the caller's transaction, once per idempotency key: the same key with the same draft gives the
 * same order again, with another draft it is refused.
 * @param key null for a caller that brings none: each call then makes an order.
 */
export async function placeOrder(trx: Trx, draft: OrderDraft, key: string | null, now: Date): Promise<PlacedOrder> {
	const requestHash = createHash("sha256").update(JSON.stringify(draft)).digest("hex");
	const made = await insertOrder(trx, draft, { key, requestHash, now });
	const order = made ?? (key && (await findOrderByKey(trx, key)));
	if (!order) throw new Error("an order was neither inserted nor found");
	return order.request_hash === requestHash ? { ok: true, order, isNew: made !== null } : { ok: false, reason: "key-reused" };
}
