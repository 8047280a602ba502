import { createHash } from "node:crypto";
import type { Runtime } from "../../server/runtime.ts";
import type { Order, OrderDraft } from "./order.ts";
import { findOrderByKey, insertOrder } from "./orders.store.server.ts";

export type PlacedOrder = { ok: true; order: Order } | { ok: false; reason: "key-reused" };

/**
 * Makes a pending order, once per idempotency key: the same key with the same draft gives the same order again,
 * with another draft it is refused.
 * @param key null for a caller that brings none: each call then makes an order.
 */
export async function placeOrder({ db, now }: Pick<Runtime, "db" | "now">, draft: OrderDraft, key: string | null): Promise<PlacedOrder> {
	const requestHash = createHash("sha256").update(JSON.stringify(draft)).digest("hex");
	const order = await db
		.transaction()
		.execute(async (trx) => (await insertOrder(trx, draft, { key, requestHash, now: now() })) ?? (key && (await findOrderByKey(trx, key))));
	if (!order) throw new Error("an order was neither inserted nor found");
	return order.request_hash === requestHash ? { ok: true, order } : { ok: false, reason: "key-reused" };
}
