import type { Database, Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { cents } from "../catalogue/money.ts";
import { creditRefundJob } from "../fulfilment/jobs.ts";
import { alertOperator } from "../order-emails/alert-operator.server.ts";
import type { Order } from "../orders/order.ts";
import { findOrder, lockPurchase, recordEvent, updateOrder } from "../orders/orders.server.ts";
import { carryOutRefundJob } from "../refunds/jobs.ts";
import {
	findPayment,
	getRefundableAmount,
	getUnrefundedAmount,
	insertRefund,
	isRefundedFrom,
	listMatchingRefunds,
	listPaymentsOfPurchase,
	listRefunds,
	listRefundsOfPayment,
	type RecordedPayment,
	type Refund,
	updateDispute,
	updateRefundStatus,
} from "../refunds/refunds.server.ts";
import { retryRefund } from "../refunds/retry-refund.server.ts";
import { splitRefund } from "../refunds/split-refund.ts";
import type { PaymentShop } from "./payment-shop.ts";
import { listSessions, recordPaymentEvent } from "./payments.store.server.ts";
import type { Outage, Payment, PaymentEvent, ProviderRefund } from "./provider.ts";
import { syncSession } from "./sync-session.server.ts";

/**
 * Asks the provider for the refunds and the dispute of a payment and updates the orders of its purchase. Refunds made on the provider's
 * own pages count as ours do.
 * @param event the event that caused the call; recorded in the same transaction, so that it is handled once.
 */
export async function syncPayment(shop: PaymentShop, paymentId: string, event: PaymentEvent | null): Promise<{ ok: true } | Outage> {
	for (let attempt = 0; attempt < attempts; attempt++) {
		const snapshot = await takePaymentSnapshot(shop.db, paymentId);
		const found = await shop.provider.findPayment(paymentId);
		if (!found.ok) return found;
		const { payment } = found;
		// a refund's event may come before the event of its payment
		if (payment?.purchaseId && snapshot === null) {
			for (const session of await listSessions(shop.db, payment.purchaseId)) {
				const synced = await syncSession(shop, session.id, null);
				if (!synced.ok) return synced;
			}
			if (await findPayment(shop.db, paymentId)) continue;
		}
		const applied = await shop.db.transaction().execute(async (trx) => {
			const orders = payment?.purchaseId ? await lockPurchase(trx, payment.purchaseId) : [];
			// another process has changed the payment since: this answer may be older than its own
			if ((await takePaymentSnapshot(trx, paymentId)) !== snapshot) return false;
			if (event && !(await recordPaymentEvent(trx, event.id, event.type, shop.now()))) return true;
			const recorded = await findPayment(trx, paymentId);
			if (payment === null || orders.length === 0 || recorded === null) {
				shop.log.error({ payment: paymentId }, "a payment names no order of ours");
				return true;
			}
			const returned: Refund[] = [];
			for (const providerRefund of await sortRefunds(trx, payment)) {
				const changed = await syncRefund(shop, trx, { orders, payment: recorded, providerRefund });
				if (providerRefund.status === "failed") returned.push(...changed);
			}
			// after all refunds of the answer are recorded
			for (const order of orders) {
				const ofOrder = returned.filter(({ order_id }) => order_id === order.id);
				await retryRefund(shop, trx, { order, payment: recorded, returned: ofOrder });
			}
			if (payment.dispute) await syncDispute(shop, trx, { orders, payment: recorded, dispute: payment.dispute });
			return true;
		});
		if (applied) return { ok: true };
	}
	return { ok: false, code: "unavailable" };
}

type DisputeStatus = NonNullable<Payment["dispute"]>["status"];
const worstFirst: readonly DisputeStatus[] = ["open", "lost", "won"];

/** Tries before the provider counts as unavailable: an answer may be outdated when it arrives. */
const attempts = 10;

/** The recorded state of a payment, to compare it later; null when the payment is not recorded. */
async function takePaymentSnapshot(db: Trx | Database, paymentId: string): Promise<string | null> {
	const payment = await findPayment(db, paymentId);
	if (payment === null) return null;
	const refunds = await listRefundsOfPayment(db, payment.id);
	return JSON.stringify([payment.dispute_status, refunds.map(({ status }) => status)]);
}

/**
 * Sorts the refunds of a payment: failed ones first, so that the sum of refunds never exceeds the capture, and then those that are
 * recorded, so that a refund made on the provider's pages is not split as if they were still to be made.
 */
async function sortRefunds(trx: Trx, { id, refunds }: Payment): Promise<ProviderRefund[]> {
	const ranked = [];
	for (const refund of refunds) {
		const isRecorded = (await listMatchingRefunds(trx, id, refund)).length > 0;
		ranked.push({ refund, rank: refund.status === "failed" ? 0 : isRecorded ? 1 : 2 });
	}
	return ranked.sort((one, other) => one.rank - other.rank).map(({ refund }) => refund);
}

/**
 * @param orders of the purchase, locked.
 * @returns the refunds as they were before, without those whose status has not changed.
 */
async function syncRefund(
	shop: PaymentShop,
	trx: Trx,
	{ orders, payment, providerRefund }: { orders: readonly Order[]; payment: RecordedPayment; providerRefund: ProviderRefund },
): Promise<Refund[]> {
	const now = shop.now();
	const known = await listMatchingRefunds(trx, payment.id, providerRefund);
	const refunds = known.length > 0 ? known : await insertDashboardRefund(shop, trx, { orders, payment, providerRefund });
	const changed = refunds.filter(({ status }) => status !== providerRefund.status);
	for (const refund of changed) {
		await updateRefundStatus(trx, refund.id, providerRefund.status, { providerId: providerRefund.id, now });
		if (providerRefund.status === "succeeded") await recordRefundSuccess(shop, trx, payment, refund);
		if (providerRefund.status !== "failed") continue;
		if (refund.status === "succeeded" && payment.role === "order") await addToRefunded(trx, refund, -refund.amount_cents);
		await alertOperator(shop, trx, { orderId: refund.order_id, kind: "alert-refund-failed", details: { refund: refund.id } });
	}
	return changed;
}

/** Inserts a refund that was made on the provider's pages: a row for each order of the purchase that it pays back. */
async function insertDashboardRefund(
	shop: PaymentShop,
	trx: Trx,
	{ orders, payment, providerRefund }: { orders: readonly Order[]; payment: RecordedPayment; providerRefund: ProviderRefund },
): Promise<Refund[]> {
	const lines = [];
	for (const order of orders.filter((each) => isRefundedFrom(each, payment)))
		lines.push({
			orderId: order.id,
			left: await getRefundableAmount(trx, payment, order),
			unrefunded: await getUnrefundedAmount(trx, payment, order),
		});
	const parts = splitRefund(lines, cents(providerRefund.amount));
	const refunds = [];
	for (const { orderId, amount } of parts) {
		const part = { orderId, payment, amount, reason: "dashboard", status: "pending", providerId: providerRefund.id } as const;
		refunds.push(await insertRefund(trx, { ...part, now: shop.now() }));
	}
	return refunds.flatMap((refund) => refund ?? []);
}

async function recordRefundSuccess({ jobs, now }: Context, trx: Trx, payment: RecordedPayment, refund: Refund): Promise<void> {
	if (payment.role === "order") await addToRefunded(trx, refund, refund.amount_cents);
	const payload = { amount: refund.amount_cents, reason: refund.reason, ...(payment.role !== "order" && { surplus: true }) };
	await recordEvent(trx, { orderId: refund.order_id, type: "refunded", payload, now: now() });
	await jobs.send(trx, creditRefundJob, { refundId: refund.id });
}

/** The caller holds the order's lock. Reads the order again: another refund of the same answer may already be added. */
async function addToRefunded(trx: Trx, refund: Refund, amount: number): Promise<void> {
	const order = await findOrder(trx, refund.order_id);
	if (order) await updateOrder(trx, order.id, { refunded_cents: cents(order.refunded_cents + amount) });
}

/**
 * An open dispute blocks downloads and refunds of all orders of the purchase. After a won dispute they go on; after a lost one nothing of
 * its payment can be refunded. With two disputed payments, the orders have the worse status.
 */
async function syncDispute(
	shop: PaymentShop,
	trx: Trx,
	{ orders, payment, dispute }: { orders: readonly Order[]; payment: RecordedPayment; dispute: NonNullable<Payment["dispute"]> },
): Promise<void> {
	const { status } = dispute;
	await updateDispute(trx, payment.id, dispute);
	if (payment.dispute_status === status) return;
	const now = shop.now();
	const statuses = (await listPaymentsOfPurchase(trx, payment.order_id)).map(({ dispute_status }) => dispute_status);
	const worst = worstFirst.find((candidate) => statuses.includes(candidate)) ?? status;
	for (const order of orders) {
		await updateOrder(trx, order.id, { dispute_status: worst, disputed_at: worst === "won" ? null : (order.disputed_at ?? now) });
		await recordEvent(trx, { orderId: order.id, type: "disputed", payload: { status }, now });
	}
	if (status === "open") return alertOperator(shop, trx, { orderId: payment.order_id, kind: "alert-dispute" });
	if (status === "lost") await alertOperator(shop, trx, { orderId: payment.order_id, kind: "alert-dispute-lost" });
	else shop.log.warn({ order: payment.order_id }, "a dispute is won");
	for (const order of orders)
		for (const refund of await listRefunds(trx, order.id)) {
			if (refund.status !== "requested") continue;
			if (status === "lost" && refund.payment_id === payment.id) await updateRefundStatus(trx, refund.id, "refused", { now });
			else await shop.jobs.send(trx, carryOutRefundJob, { refundId: refund.id });
		}
}
