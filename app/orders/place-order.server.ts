import { createHash } from "node:crypto";
import type { Trx } from "../../server/database/database.ts";
import type { Environment } from "../../server/environment/environment.ts";
import { giveBack, type Point, takeTogether } from "../../server/rate-limits.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import type { Order, OrderDraft } from "./order.ts";
import { findOrderByKey, insertOrder } from "./orders.store.server.ts";

export type PlacedOrder = { ok: true; order: Order; isNew: boolean } | { ok: false; code: "key-reused" };

/** Too many orders within the hour: of this client, for this mailbox, or at the whole shop. */
export type LimitedOrder = { ok: false; code: "limited"; by: LimitName; retryAfter: number };
export type LimitName = keyof NonNullable<Environment["orderLimits"]>;

const hour = 3600;

/**
 * Makes a pending order as `placeOrder` does, within the limits of client, mailbox and shop, which are counted in the same transaction.
 * A repetition of the same key takes no point: it makes no order.
 * @param limits null: none. @param client the key of a client.
 */
export async function placeOrderWithinLimits(
	trx: Trx,
	draft: OrderDraft,
	{ key, client, limits, now }: { key: string | null; client: string; limits: Environment["orderLimits"]; now: Date },
): Promise<PlacedOrder | LimitedOrder> {
	const points = limits ? orderPoints(limits, client, draft.email) : [];
	const taken = await takeTogether(trx, points, { seconds: hour, now });
	// asked for now, and not before: the same key may have been waited for
	const isRepetition = !taken.ok && key !== null && (await findOrderByKey(trx, key)) !== null;
	if (!taken.ok && !isRepetition) return { ok: false, code: "limited", by: taken.name, retryAfter: taken.retryAfter };
	const placed = await placeOrder(trx, draft, key, now);
	if (taken.ok && !(placed.ok && placed.isNew)) await giveBack(trx, points);
	return placed;
}

/** In the order of whom they protect: what a client is refused costs no mailbox, and what a mailbox is refused not the shop. */
const orderPoints = (limits: NonNullable<Environment["orderLimits"]>, client: string, email: string): Point<LimitName>[] => [
	{ name: "client", subject: `orders ${client}`, most: limits.client },
	{ name: "mailbox", subject: `orders ${normalizeEmail(email)}`, most: limits.mailbox },
	// a flood by many clients leaves this for those who have not ordered within the hour
	{ name: "shop", subject: "orders", most: limits.shop, spare: Math.floor(limits.shop / 10) },
];

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
	return order.request_hash === requestHash ? { ok: true, order, isNew: made !== null } : { ok: false, code: "key-reused" };
}
