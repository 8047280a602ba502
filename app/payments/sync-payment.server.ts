import type { Database, Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { cents } from "../catalogue/money.ts";
import { creditRefundJob } from "../fulfilment/jobs.ts";
import { alertOperator } from "../order-emails/alert-operator.server.ts";
import type { Order } from "../orders/order.ts";
import { findOrder, lockOrder, recordEvent, updateOrder } from "../orders/orders.server.ts";
import { carryOutRefundJob } from "../refunds/jobs.ts";
import {
	findMatchingRefund,
	findPayment,
	insertRefund,
	listPaymentsOfOrder,
	listRefunds,
	type RecordedPayment,
	type Refund,
	updateDispute,
	updateRefundStatus,
} from "../refunds/refunds.server.ts";
import { retryRefund } from "../refunds/retry-refund.server.ts";
import type { PaymentShop } from "./payment-shop.ts";
import { listSessions, recordPaymentEvent } from "./payments.store.server.ts";
import type { Outage, Payment, PaymentEvent, ProviderRefund } from "./provider.ts";
import { syncSession } from "./sync-session.server.ts";

/**
 * Asks the provider for the refunds and the dispute of a payment and updates its order. Refunds made on the provider's own pages count
 * as ours do.
 * @param event the event that caused the call; recorded in the same transaction, so that it is handled once.
 */
export async function syncPayment(shop: PaymentShop, paymentId: string, event: PaymentEvent | null): Promise<{ ok: true } | Outage> {
	for (let attempt = 0; attempt < attempts; attempt++) {
		const snapshot = await takePaymentSnapshot(shop.db, paymentId);
		const found = await shop.provider.findPayment(paymentId);
		if (!found.ok) return found;
		const { payment } = found;
		// a refund's event may come before the event of its payment
		if (payment?.orderId && snapshot === null) {
			for (const session of await listSessions(shop.db, payment.orderId)) {
				const synced = await syncSession(shop, session.id, null);
				if (!synced.ok) return synced;
			}
			if (await findPayment(shop.db, paymentId)) continue;
		}
		const applied = await shop.db.transaction().execute(async (trx) => {
			const order = payment?.orderId ? await lockOrder(trx, payment.orderId) : null;
			// another process has changed the payment since: this answer may be older than its own
			if ((await takePaymentSnapshot(trx, paymentId)) !== snapshot) return false;
			if (event && !(await recordPaymentEvent(trx, event.id, event.type, shop.now()))) return true;
			const recorded = await findPayment(trx, paymentId);
			if (payment === null || order === null || recorded === null) {
				shop.log.error({ payment: paymentId }, "a payment names no order of ours");
				return true;
			}
			// failed refunds first, so that the sum of refunds never exceeds the capture
			const failed = payment.refunds.filter(({ status }) => status === "failed");
			const others = payment.refunds.filter(({ status }) => status !== "failed");
			const returned: Refund[] = [];
			for (const providerRefund of [...failed, ...others]) {
				const refund = await syncRefund(shop, trx, recorded, providerRefund);
				if (refund && providerRefund.status === "failed") returned.push(refund);
			}
			// after all refunds of the answer are recorded
			await retryRefund(shop, trx, { order, payment: recorded, returned });
			if (payment.dispute) await syncDispute(shop, trx, { order, payment: recorded, dispute: payment.dispute });
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
	const refunds = await listRefunds(db, payment.order_id);
	return JSON.stringify([payment.dispute_status, refunds.map(({ status }) => status)]);
}

/** @returns the refund as it was before; null when its status has not changed. */
async function syncRefund(shop: PaymentShop, trx: Trx, payment: RecordedPayment, providerRefund: ProviderRefund): Promise<Refund | null> {
	const now = shop.now();
	const refund =
		(await findMatchingRefund(trx, payment.id, providerRefund)) ??
		(await insertRefund(trx, {
			payment,
			amount: providerRefund.amount,
			reason: "dashboard",
			status: "pending",
			providerId: providerRefund.id,
			now,
		}));
	if (refund === null || refund.status === providerRefund.status) return null;
	await updateRefundStatus(trx, refund.id, providerRefund.status, { providerId: providerRefund.id, now });
	if (providerRefund.status === "succeeded") await recordRefundSuccess(shop, trx, payment, refund);
	if (providerRefund.status === "failed") {
		if (refund.status === "succeeded" && payment.role === "order") await addToRefunded(trx, refund, -refund.amount_cents);
		await alertOperator(shop, trx, { orderId: refund.order_id, kind: "alert-refund-failed", details: { refund: refund.id } });
	}
	return refund;
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
 * An open dispute blocks downloads and refunds. After a won dispute they go on; after a lost one nothing of its payment can be refunded.
 * With two disputed payments, the order has the worse status.
 */
async function syncDispute(
	shop: PaymentShop,
	trx: Trx,
	{ order, payment, dispute }: { order: Order; payment: RecordedPayment; dispute: NonNullable<Payment["dispute"]> },
): Promise<void> {
	const { status } = dispute;
	await updateDispute(trx, payment.id, dispute);
	if (payment.dispute_status === status) return;
	const now = shop.now();
	const statuses = (await listPaymentsOfOrder(trx, order.id)).map(({ dispute_status }) => dispute_status);
	const worst = worstFirst.find((candidate) => statuses.includes(candidate)) ?? status;
	await updateOrder(trx, order.id, { dispute_status: worst, disputed_at: worst === "won" ? null : (order.disputed_at ?? now) });
	await recordEvent(trx, { orderId: order.id, type: "disputed", payload: { status }, now });
	if (status === "open") return alertOperator(shop, trx, { orderId: order.id, kind: "alert-dispute" });
	if (status === "lost") await alertOperator(shop, trx, { orderId: order.id, kind: "alert-dispute-lost" });
	else shop.log.warn({ order: order.id }, "a dispute is won");
	for (const refund of await listRefunds(trx, order.id)) {
		if (refund.status !== "requested") continue;
		if (status === "lost" && refund.payment_id === payment.id) await updateRefundStatus(trx, refund.id, "refused", { now });
		else await shop.jobs.send(trx, carryOutRefundJob, { refundId: refund.id });
	}
}
