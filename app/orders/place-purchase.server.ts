import { createHash } from "node:crypto";
import type { Trx } from "../../server/database/database.ts";
import { hourSeconds } from "../../server/durations.ts";
import type { Environment } from "../../server/environment/environment.ts";
import { giveBack, type Point, takeTogether } from "../../server/rate-limits.ts";
import type { Context } from "../../server/runtime.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import type { Order, OrderDraft } from "./order.ts";
import { findOrderByKey, insertPurchase, listOrdersOfPurchase } from "./orders.store.server.ts";

/** `orders`: of the purchase, in the order of its lines. */
export type PlacePurchaseOutcome = { ok: true; orders: [Order, ...Order[]]; isNew: boolean } | { ok: false; code: "key-reused" };

/** Too many orders within the hour: by this client, for this mailbox, or in the whole shop. */
export type LimitRefusal = { ok: false; code: "limited"; by: LimitName; retryAfter: number };
export type LimitName = keyof NonNullable<Environment["orderLimits"]>;

/** `terms`: the hash of the terms of sale in force. They are not part of the drafts: a repeated key may come after a new version. */
interface PlacingOptions {
	key: string | null;
	terms: string | null;
	now: Date;
}

/**
 * Places a purchase as `placePurchase` does, within the limits of client, mailbox and shop, which are counted in the same transaction.
 * A purchase takes a point for each begun part of `ordersPerPoint` orders. A repeated key inserts nothing and takes no point.
 * @param limits the most points; null: no limits. @param client the client's key. @param terms the hash of the terms of sale in force.
 */
export async function placePurchaseWithinLimits(
	context: Pick<Context, "signer">,
	trx: Trx,
	drafts: readonly OrderDraft[],
	{ key, client, limits, terms, now }: PlacingOptions & { client: string; limits: Environment["orderLimits"] },
): Promise<PlacePurchaseOutcome | LimitRefusal> {
	const points = limits ? orderPoints(limits, client, drafts) : [];
	const taken = await takeTogether(context, trx, points, { seconds: hourSeconds, now });
	// read after the limits: the counts may have waited for a transaction with the same key
	const isRepetition = !taken.ok && key !== null && (await findOrderByKey(trx, key)) !== null;
	if (!taken.ok && !isRepetition) return { ok: false, code: "limited", by: taken.name, retryAfter: taken.retryAfter };
	const placed = await placePurchase(trx, drafts, { key, terms, now });
	if (taken.ok && !(placed.ok && placed.isNew)) await giveBack(context, trx, points);
	return placed;
}

/** Orders that one point allows: the largest purchase, of 200, takes eight of the ten points that a mailbox has in an hour. */
const ordersPerPoint = 25;

/** Taken in this order: a refused client costs the mailbox no point, and a refused mailbox costs the shop none. */
function orderPoints(limits: NonNullable<Environment["orderLimits"]>, client: string, drafts: readonly OrderDraft[]): Point<LimitName>[] {
	const cost = Math.ceil(drafts.length / ordersPerPoint);
	return [
		{ name: "client", subject: ["orders", client], most: limits.client, cost },
		{ name: "mailbox", subject: ["orders", normalizeEmail(drafts[0]?.email ?? "")], most: limits.mailbox, cost },
		// `spare`: points that only mailboxes and clients without an order within the hour may take
		{ name: "shop", subject: "orders", most: limits.shop, spare: Math.floor(limits.shop / 10), cost },
	];
}

/**
 * Inserts the pending orders of one customer as a purchase, in the caller's transaction, once per idempotency key: a repeated key with the
 * same drafts returns the same orders, and is refused with other drafts.
 * @param key null: each call inserts a purchase. @param terms null: not known, in tests.
 */
export async function placePurchase(
	trx: Trx,
	drafts: readonly OrderDraft[],
	{ key, terms, now }: PlacingOptions,
): Promise<PlacePurchaseOutcome> {
	const requestHash = hashDrafts(drafts);
	const inserted = await insertPurchase(trx, drafts, { key, requestHash, terms, now });
	if (inserted) return { ok: true, orders: inserted, isNew: true };
	const first = key && (await findOrderByKey(trx, key));
	if (!first) throw new Error("a purchase was neither inserted nor found");
	if (first.request_hash !== requestHash) return { ok: false, code: "key-reused" };
	const [, ...others] = await listOrdersOfPurchase(trx, first.id);
	return { ok: true, orders: [first, ...others], isNew: false };
}

const hashDrafts = (drafts: readonly OrderDraft[]): string => createHash("sha256").update(JSON.stringify(drafts)).digest("hex");
