import { hour } from "../../server/durations.ts";
import { describeFault } from "../../server/observability/log.ts";
import { inContext } from "../../server/observability/request-context.ts";
import type { CopyState } from "../orders/copies/read-copy.server.ts";
import { compareWithCopies } from "../orders/copies/recreate-order.server.ts";
import { listPaymentsBetween } from "../orders/refunds/refunds.store.server.ts";
import type { PaymentShop } from "./payment-shop.ts";
import { type Difference, insertReconciliation, listSessions } from "./payments.store.server.ts";
import type { Outage } from "./provider.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { syncSession } from "./sync-session.server.ts";

/** Payments of the last quarter of an hour are not compared: their events may still be on their way. */
export const gracePeriod = hour / 4;

/** The two sides may date a payment differently: within an hour of the window's limits, a payment missing at the provider is no difference. */
const dateTolerance = hour;

export interface Reconciliation {
	/** Payments made in [since, until) were compared. */
	since: Date;
	until: Date;
	compared: number;
	differences: Difference[];
}

/**
 * Compares the provider's payments of the last days with ours, reports every difference, and then syncs those payments, which corrects
 * what a lost event caused. A purchase with an order that is older than its copy is not synced: `orders recreate` restores it first.
 */
export async function reconcile(shop: PaymentShop, days = 3): Promise<({ ok: true } & Reconciliation) | Outage> {
	const { db, provider, log, now } = shop;
	const until = new Date(now().getTime() - gracePeriod);
	const since = new Date(until.getTime() - days * 24 * hour);
	const booked = await provider.listPayments(since, until);
	if (!booked.ok) return booked;
	const recordedPayments = new Map(
		(await listPaymentsBetween(db, new Date(since.getTime() - dateTolerance), now())).map((row) => [row.id, row]),
	);
	const bookedPayments = new Map(booked.payments.map((payment) => [payment.id, payment]));
	const differences: Difference[] = [];
	for (const { id, purchaseId: orderId, amount, refunded } of booked.payments) {
		const recorded = recordedPayments.get(id);
		const add = (what: Difference["what"], here: number | null, there: number) =>
			differences.push({ paymentId: id, orderId, what, here, there });
		if (recorded === undefined) add("missing-here", null, amount);
		else if (recorded.amount_cents !== amount) add("amount", recorded.amount_cents, amount);
		else if (recorded.refunded_cents !== refunded) add("refunded", recorded.refunded_cents, refunded);
	}
	for (const { id, order_id, amount_cents, created_at } of recordedPayments.values()) {
		if (bookedPayments.has(id) || created_at.getTime() < since.getTime() + dateTolerance || created_at >= until) continue;
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

/** @returns `unavailable` when the storage does not answer; undefined when there is no copy. */
async function compareIfReadable(shop: PaymentShop, orderId: string): Promise<CopyState | "unavailable" | undefined> {
	try {
		return (await compareWithCopies(shop, orderId)) ?? undefined;
	} catch (error) {
		shop.log.warn({ order: orderId, error: describeFault(error) }, "the copy of an order cannot be read");
		return "unavailable";
	}
}

async function syncDifference(shop: PaymentShop, { what, orderId, paymentId, copy }: Difference): Promise<void> {
	// `orders recreate` comes first: the copy may have more than the provider
	if (copy === "lost" || copy === "behind" || copy === "unavailable") return;
	if (what === "missing-here" && orderId)
		for (const session of await listSessions(shop.db, orderId)) await syncSession(shop, session.id, null);
	if (what === "refunded") await syncPayment(shop, paymentId, null);
}
