import { describeFault } from "../../server/observability/log.ts";
import { inContext } from "../../server/observability/request-context.ts";
import type { CopyState } from "../order-copies/read-copy.server.ts";
import { compareWithCopy } from "../order-copies/recreate-order.server.ts";
import { listPaymentsBetween } from "../refunds/refunds.server.ts";
import type { PaymentShop } from "./payment-shop.ts";
import { type Difference, insertReconciliation, listSessions } from "./payments.store.server.ts";
import type { Outage } from "./provider.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { syncSession } from "./sync-session.server.ts";

const hour = 3_600_000;

/** What is on its way right now is no difference yet. */
export const settlingTime = hour / 4;

/** Either side may have noted a payment a little later than the other: what is at the edges is not held against it. */
const edge = hour;

export interface Reconciliation {
	/** Payments made in [since, until) were compared. */
	since: Date;
	until: Date;
	compared: number;
	differences: Difference[];
}

/**
 * Compares the provider's books of the last days with ours, payment by payment, reports every difference, and then has the
 * payments concerned synced, which mends what a lost event explains. An order that its copy is ahead of is left
 * as it is: it was lost with a restored database, and is recreated first.
 */
export async function reconcile(shop: PaymentShop, days = 3): Promise<({ ok: true } & Reconciliation) | Outage> {
	const { db, provider, log, now } = shop;
	const until = new Date(now().getTime() - settlingTime);
	const since = new Date(until.getTime() - days * 24 * hour);
	const booked = await provider.listPayments(since, until);
	if (!booked.ok) return booked;
	const here = new Map((await listPaymentsBetween(db, new Date(since.getTime() - edge), now())).map((row) => [row.id, row]));
	const there = new Map(booked.payments.map((payment) => [payment.id, payment]));
	const differences: Difference[] = [];
	for (const { id, orderId, amount, refunded } of booked.payments) {
		const ours = here.get(id);
		const add = (what: Difference["what"], mine: number | null, theirs: number) =>
			differences.push({ paymentId: id, orderId, what, here: mine, there: theirs });
		if (ours === undefined) add("missing-here", null, amount);
		else if (ours.amount_cents !== amount) add("amount", ours.amount_cents, amount);
		else if (ours.refunded_cents !== refunded) add("refunded", ours.refunded_cents, refunded);
	}
	for (const { id, order_id, amount_cents, created_at } of here.values()) {
		if (there.has(id) || created_at.getTime() < since.getTime() + edge || created_at > until) continue;
		const found = await provider.findPayment(id);
		if (!found.ok) return found;
		if (!found.payment) differences.push({ paymentId: id, orderId: order_id, what: "missing-there", here: amount_cents, there: null });
	}
	for (const difference of differences) {
		const { orderId, what } = difference;
		if (orderId && ["missing-here", "refunded"].includes(what)) difference.copy = await compareIfReadable(shop, orderId);
	}
	await insertReconciliation(db, { since, until, compared: booked.payments.length, differences, now: now() });
	log.info(
		{ since, until, compared: booked.payments.length, differences: differences.length },
		"the provider's books are compared with ours",
	);
	for (const difference of differences)
		await inContext({ order: difference.orderId ?? undefined }, async () => {
			log.error({ ...difference }, "the provider's books and ours differ");
			await syncDifference(shop, difference);
		});
	return { ok: true, since, until, compared: booked.payments.length, differences };
}

/** When the storage does not answer, the difference is reported without its copy. */
async function compareIfReadable(shop: PaymentShop, orderId: string): Promise<CopyState | "unavailable" | undefined> {
	try {
		return (await compareWithCopy(shop, orderId)) ?? undefined;
	} catch (error) {
		shop.log.warn({ order: orderId, error: describeFault(error) }, "the copy of an order cannot be read");
		return "unavailable";
	}
}

async function syncDifference(shop: PaymentShop, { what, orderId, paymentId, copy }: Difference): Promise<void> {
	// the copy may know more than the provider: orders recreate
	if (copy === "lost" || copy === "behind" || copy === "unavailable") return;
	if (what === "missing-here" && orderId)
		for (const session of await listSessions(shop.db, orderId)) await syncSession(shop, session.id, null);
	if (what === "refunded") await syncPayment(shop, paymentId, null);
}
