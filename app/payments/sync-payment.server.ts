import type { Database, Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { isUuid } from "../../server/uuid.ts";
import { cents } from "../catalogue/money.ts";
import { alertOperator } from "../emails/alert-operator.server.ts";
import type { Order } from "../orders/order.ts";
import { findOrder, lockPurchase, recordEvent, updateOrder } from "../orders/orders.store.server.ts";
import {
	calculateRefundable,
	findPayment,
	insertRefund,
	isRefundedFrom,
	listPaymentsOfPurchase,
	listRefunds,
	listRefundsOfPayment,
	type RecordedPayment,
	type Refund,
	sumRefundedPrice,
	updateDispute,
	updateRefundStatus,
} from "../orders/refunds/refunds.store.server.ts";
import { retryRefund } from "../orders/refunds/retry-refund.server.ts";
import { isSplitGuessed, splitRefund } from "../orders/refunds/split-refund.ts";
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
		const before = await readRecord(shop.db, paymentId);
		const found = await shop.provider.findPayment(paymentId);
		if (!found.ok) return found;
		const { payment } = found;
		// a refund's event may come before the event of its payment
		if (payment?.purchaseId && before === null) {
			for (const session of await listSessions(shop.db, payment.purchaseId)) {
				const synced = await syncSession(shop, session.id, null);
				if (!synced.ok) return synced;
			}
			if (await findPayment(shop.db, paymentId)) continue;
		}
		const applied = await shop.db.transaction().execute(async (trx) => {
			const orders = payment?.purchaseId ? await lockPurchase(trx, payment.purchaseId) : [];
			const record = await readRecord(trx, paymentId);
			if (payment && isOutdated(payment, before, record)) return false;
			if (event && !(await recordPaymentEvent(trx, event.id, event.type, shop.now()))) return true;
			if (payment === null || orders.length === 0 || record === null) {
				shop.log.error({ payment: paymentId }, "a payment names no order of ours");
				return true;
			}
			const { payment: recorded, refunds } = record;
			const returned: Refund[] = [];
			for (const providerRefund of sortRefunds(refunds, payment)) {
				const changed = await syncRefund(shop, trx, { orders, payment: recorded, refunds, providerRefund });
				if (providerRefund.status === "failed") returned.push(...changed);
			}
			// after all refunds of the answer are recorded
			for (const order of orders) {
				const ofOrder = returned.filter(({ order_id }) => order_id === order.id);
				if (ofOrder.length > 0) await retryRefund(shop, trx, { order, payment: recorded, returned: ofOrder });
			}
			if (payment.dispute) await syncDispute(shop, trx, { orders, payment: recorded, dispute: payment.dispute });
			return true;
		});
		if (applied) return { ok: true };
	}
	return { ok: false, code: "unavailable" };
}

type DisputeStatus = NonNullable<Payment["dispute"]>["status"];
const worstFirst: readonly DisputeStatus[] = ["open", "lost"];

/** Tries before the provider counts as unavailable: an answer may be outdated when it arrives. */
const attempts = 10;

interface PaymentRecord {
	payment: RecordedPayment;
	refunds: readonly Refund[];
}

/** A payment as it is recorded, with all its refunds; null when it is not. */
async function readRecord(db: Trx | Database, paymentId: string): Promise<PaymentRecord | null> {
	const payment = await findPayment(db, paymentId);
	return payment && { payment, refunds: await listRefundsOfPayment(db, payment.id) };
}

/**
 * Whether another process has recorded, while the provider answered, what this answer contradicts: the answer may be older. Two hundred
 * refunds of one purchase are synced side by side, so what the others have changed in the meantime does not count.
 */
function isOutdated(answer: Payment, before: PaymentRecord | null, present: PaymentRecord | null): boolean {
	if (before === null || present === null) return before !== present;
	const dispute = present.payment.dispute_status;
	if (answer.dispute && dispute !== answer.dispute.status && dispute !== before.payment.dispute_status) return true;
	const statuses = new Map(before.refunds.map(({ id, status }) => [id, status]));
	const changed = present.refunds.filter(({ id, status }) => status !== statuses.get(id));
	return answer.refunds.some((refund) => changed.some((row) => isOf(refund, row) && row.status !== refund.status));
}

/** Whether a row is of this refund, by its id or by the reference of our request. One made on the provider's pages may have several rows. */
const isOf = ({ id, reference }: ProviderRefund, row: Refund): boolean => row.provider_id === id || row.id === reference;

/**
 * Sorts the refunds of a payment: failed ones first, so that the sum of refunds never exceeds the capture, and then those that we
 * requested, so that a refund made on the provider's pages is not split as if they were still to be made.
 */
function sortRefunds(recorded: readonly Refund[], { refunds }: Payment): ProviderRefund[] {
	const isOurs = (refund: ProviderRefund) => recorded.some(({ id }) => id === refund.reference);
	const rank = (refund: ProviderRefund) => (refund.status === "failed" ? 0 : isOurs(refund) ? 1 : 2);
	return [...refunds].sort((one, other) => rank(one) - rank(other));
}

/**
 * @param orders of the purchase, locked. @param refunds of the payment, as they were before this answer.
 * @returns the refunds as they were before, without those whose status has not changed.
 */
async function syncRefund(
	shop: PaymentShop,
	trx: Trx,
	{ orders, payment, refunds, providerRefund }: PaymentRecord & { orders: readonly Order[]; providerRefund: ProviderRefund },
): Promise<Refund[]> {
	const now = shop.now();
	const recorded = refunds.filter((row) => isOf(providerRefund, row));
	const rows = recorded.length > 0 ? recorded : await insertDashboardRefund(shop, trx, { orders, payment, providerRefund });
	const changed = rows.filter(({ status }) => status !== providerRefund.status);
	for (const refund of changed) {
		await updateRefundStatus(trx, refund.id, providerRefund.status, { providerId: providerRefund.id, now });
		if (providerRefund.status === "succeeded") await recordRefundSuccess(shop, trx, payment, refund);
		if (providerRefund.status !== "failed") continue;
		if (refund.status === "succeeded" && payment.role === "order") await updateRefunded(shop, trx, refund);
		await alertOperator(shop, trx, { orderId: refund.order_id, kind: "alert-refund-failed", details: { refund: refund.id } });
	}
	return changed;
}

/**
 * Inserts a refund that was made on the provider's pages: a row for each order of the purchase that it pays back. When other orders could
 * have been meant, the operator is told which one it counts for. A refund of ours whose row is missing, as after a restoration, is not split:
 * it is of one order, and `orders recreate` brings its row back.
 */
async function insertDashboardRefund(
	shop: PaymentShop,
	trx: Trx,
	{ orders, payment, providerRefund }: { orders: readonly Order[]; payment: RecordedPayment; providerRefund: ProviderRefund },
): Promise<Refund[]> {
	const { id: providerId, amount, reference } = providerRefund;
	const candidates = orders.filter((each) => isRefundedFrom(each, payment));
	if (candidates.length > 1 && reference !== null && isUuid(reference)) {
		await alertOperator(shop, trx, { orderId: payment.order_id, kind: "alert-refund-unknown", details: { unknown: reference, amount } });
		return [];
	}
	const recorded = await listRefundsOfPayment(trx, payment.id);
	const lines = candidates.map((order) => ({ orderId: order.id, ...calculateRefundable(recorded, payment, order) }));
	const left = lines.reduce((sum, line) => sum + Math.max(0, line.left), 0);
	const isAnyAsked = recorded.some(({ status, asked_at }) => status === "requested" && asked_at !== null);
	// the provider may have taken the same money for one of ours: the sync that follows its answer knows
	if (candidates.length > 1 && left < amount && isAnyAsked) return [];
	const refunds = [];
	for (const { orderId, amount: part } of splitRefund(lines, cents(amount))) {
		const row = { orderId, payment, amount: part, reason: "dashboard", status: "pending", providerId } as const;
		refunds.push(await insertRefund(trx, { ...row, now: shop.now() }));
	}
	const inserted = refunds.flatMap((refund) => refund ?? []);
	const [first] = inserted;
	if (first && isSplitGuessed(lines, cents(amount)))
		await alertOperator(shop, trx, { orderId: first.order_id, kind: "alert-refund-guessed", details: { refund: first.id, amount } });
	return inserted;
}

async function recordRefundSuccess(context: Context, trx: Trx, payment: RecordedPayment, refund: Refund): Promise<void> {
	if (payment.role === "order") await updateRefunded(context, trx, refund);
	const { jobs, now } = context;
	const payload = { amount: refund.amount_cents, reason: refund.reason, ...(payment.role !== "order" && { surplus: true }) };
	await recordEvent(trx, { orderId: refund.order_id, type: "refunded", payload, now: now() });
	await jobs.send(trx, "credit-refund", { refundId: refund.id });
}

/**
 * Sums up what went back for an order, whose lock the caller holds. A refund on the provider's pages may have taken a part of the price after
 * ours had left for the whole of it: then the order shows its price, and the operator is told.
 */
async function updateRefunded(context: Context, trx: Trx, { id, order_id }: Refund): Promise<void> {
	const order = await findOrder(trx, order_id);
	if (order === null) return;
	const refunded = await sumRefundedPrice(trx, order.id);
	await updateOrder(trx, order.id, { refunded_cents: cents(Math.min(refunded, order.price_cents)) });
	if (refunded > order.price_cents)
		await alertOperator(context, trx, { orderId: order.id, kind: "alert-refund-exceeds", details: { refund: id } });
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
	const worst = worstFirst.find((candidate) => statuses.includes(candidate)) ?? "won";
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
			else await shop.jobs.send(trx, "carry-out-refund", { refundId: refund.id });
		}
}
