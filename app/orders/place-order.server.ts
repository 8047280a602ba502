import { createHash } from "node:crypto";
import type { Trx } from "../../server/database/database.ts";
import type { Environment } from "../../server/environment/environment.ts";
import { giveBack, type Point, takeTogether } from "../../server/rate-limits.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import type { Order, OrderDraft } from "./order.ts";
import { findOrderByKey, insertOrder } from "./orders.store.server.ts";

export type PlaceOrderOutcome = { ok: true; order: Order; isNew: boolean } | { ok: false; code: "key-reused" };

/** Too many orders within the hour: by this client, for this mailbox, or in the whole shop. */
export type LimitRefusal = { ok: false; code: "limited"; by: LimitName; retryAfter: number };
export type LimitName = keyof NonNullable<Environment["orderLimits"]>;

const hour = 3600;

/**
 * Places an order as `placeOrder` does, within the limits of client, mailbox and shop, which are counted in the same transaction.
 * A repeated key inserts no order and takes no point.
 * @param limits null: no limits. @param client the client's key.
 */
export async function placeOrderWithinLimits(
	trx: Trx,
	draft: OrderDraft,
	{ key, client, limits, now }: { key: string | null; client: string; limits: Environment["orderLimits"]; now: Date },
): Promise<PlaceOrderOutcome | LimitRefusal> {
	const points = limits ? orderPoints(limits, client, draft.email) : [];
	const taken = await takeTogether(trx, points, { seconds: hour, now });
	// read after the limits: takeTogether may have waited for a transaction with the same key
	const isRepetition = !taken.ok && key !== null && (await findOrderByKey(trx, key)) !== null;
	if (!taken.ok && !isRepetition) return { ok: false, code: "limited", by: taken.name, retryAfter: taken.retryAfter };
	const placed = await placeOrder(trx, draft, key, now);
	if (taken.ok && !(placed.ok && placed.isNew)) await giveBack(trx, points);
	return placed;
}

/** Taken in this order: a refused client costs the mailbox no point, and a refused mailbox costs the shop none. */
const orderPoints = (limits: NonNullable<Environment["orderLimits"]>, client: string, email: string): Point<LimitName>[] => [
	{ name: "client", subject: `orders ${client}`, most: limits.client },
	{ name: "mailbox", subject: `orders ${normalizeEmail(email)}`, most: limits.mailbox },
	// `spare`: points that only mailboxes and clients without an order within the hour may take
	{ name: "shop", subject: "orders", most: limits.shop, spare: Math.floor(limits.shop / 10) },
];

/**
 * Inserts a pending order in the caller's transaction, once per idempotency key: a repeated key with the same draft returns the same
 * order, and is refused with another draft.
 * @param key null: each call inserts an order.
 */
export async function placeOrder(trx: Trx, draft: OrderDraft, key: string | null, now: Date): Promise<PlaceOrderOutcome> {
	const requestHash = hashDraft(draft);
	const inserted = await insertOrder(trx, draft, { key, requestHash, now });
	const order = inserted ?? (key && (await findOrderByKey(trx, key)));
	if (!order) throw new Error("an order was neither inserted nor found");
	return order.request_hash === requestHash ? { ok: true, order, isNew: inserted !== null } : { ok: false, code: "key-reused" };
}

/** Fields that the shop did not have at first. Left empty they are not hashed, so that a key keeps its hash across an update. */
const laterFields: ReadonlySet<string> = new Set<keyof OrderDraft>([
	...(["billingSiren", "billingVat", "deliveryName", "deliveryComplement"] as const),
	...(["deliveryAddress", "deliveryPostalCode", "deliveryCity"] as const),
]);

function hashDraft(draft: OrderDraft): string {
	const text = JSON.stringify(draft, (field, value) => (value === null && laterFields.has(field) ? undefined : value));
	return createHash("sha256").update(text).digest("hex");
}
