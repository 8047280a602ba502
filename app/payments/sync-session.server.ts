import type { Trx } from "../../server/database/database.ts";
import { logAfterCommit } from "../../server/database/log-after-commit.ts";
import { alertOperator } from "../emails/alert-operator.server.ts";
import { queueOrderEmail } from "../emails/queue-order-email.server.ts";
import { markPaid } from "../fulfilment/mark-paid.server.ts";
import { type Order, sumPrices } from "../orders/order.ts";
import { changeStates, lockPurchase, recordEvent, updateOrder } from "../orders/orders.store.server.ts";
import { findPayment, insertPayment, type PaymentRole } from "../orders/refunds/refunds.store.server.ts";
import { requestRefund } from "../orders/refunds/request-refund.server.ts";
import type { PaymentShop } from "./payment-shop.ts";
import { completeSession, expireSession, findRecordedSession, recordPaymentEvent } from "./payments.store.server.ts";
import type { Outage, PaymentEvent, PaymentProvider, PaymentSession } from "./provider.ts";
import { sessionLogName } from "./session-log-name.server.ts";

/**
 * Asks the provider for the state of a session and updates the orders of its purchase. They become paid only here and in expireAndSyncSession:
 * after an event, on the confirmation page, in the sweep and in the nightly reconciliation.
 * @param event the event that caused the call; recorded in the same transaction, so that it is handled once.
 */
export async function syncSession(shop: PaymentShop, sessionId: string, event: PaymentEvent | null): Promise<{ ok: true } | Outage> {
	const found = await shop.provider.findSession(sessionId);
	if (!found.ok) return found;
	await applySession(shop, sessionId, found.session, event);
	return { ok: true };
}

/** Expires a session at the provider if it is still open there, and updates the orders of its purchase. */
export async function expireAndSyncSession(shop: PaymentShop, sessionId: string): Promise<{ ok: true } | Outage> {
	const closed = await shop.provider.expireSession(sessionId);
	if (!closed.ok) return closed;
	await applySession(shop, sessionId, closed.session, null);
	return { ok: true };
}

async function applySession(
	shop: PaymentShop,
	sessionId: string,
	session: PaymentSession | null,
	event: PaymentEvent | null,
): Promise<void> {
	await shop.db.transaction().execute(async (trx) => {
		if (event && !(await recordPaymentEvent(trx, event.id, event.type, shop.now()))) return; // saves work only: each step below happens once anyway
		if (session === null) return handleUnknownSession(shop, trx, sessionId);
		const [first, ...others] = session.purchaseId ? await lockPurchase(trx, session.purchaseId) : [];
		if (first === undefined) return logFault(trx, { session: sessionId }, "a payment session names no order of ours");
		if (session.status === "expired") await applyExpiry(shop, trx, [first, ...others], session);
		if (session.paymentStatus === "paid") await recordPayment(shop, trx, [first, ...others], session);
	});
}

/**
 * The provider does not know the session. If it has expired, it is closed and its purchase expires, so that it can be purged later.
 * Before that nothing changes: a wrong API key must not expire orders that customers are paying.
 */
async function handleUnknownSession(shop: PaymentShop, trx: Trx, sessionId: string): Promise<void> {
	const recorded = await findRecordedSession(trx, sessionId);
	const orders = recorded ? await lockPurchase(trx, recorded.order_id) : [];
	if (recorded === null || orders.length === 0) return logFault(trx, { session: sessionId }, "a payment session names no order of ours");
	const expires = recorded.expires_at <= shop.now() && (await expireSession(trx, sessionId));
	const outcome = expires ? "it expires" : "nothing changes";
	logFault(trx, { session: sessionId, order: recorded.order_id }, `the provider does not know the session of an order: ${outcome}`);
	// no reminder: with another account's key, there may be a payment that this key cannot see
	if (expires) await expireOrders(shop, trx, orders);
}

/** Logs an error for the operator, after the commit. */
function logFault(trx: Trx, { session, ...fields }: { session: string; order?: string }, message: string): void {
	logAfterCommit(trx, { level: "error", fields: { session: sessionLogName(session), ...fields }, message });
}

/** Expires the orders of a purchase that are still pending, in the transaction that holds their locks, and reminds their customer. */
export async function expireWithReminder(shop: PaymentShop, trx: Trx, orders: readonly Order[]): Promise<void> {
	const [first] = await expireOrders(shop, trx, orders);
	if (first) await queueOrderEmail(shop, trx, { orderId: first.purchase_id, kind: "resume" });
}

/** @returns the orders that were pending. */
function expireOrders({ now }: Pick<PaymentShop, "now">, trx: Trx, orders: readonly Order[]): Promise<Order[]> {
	const ids = orders.map(({ id }) => id);
	return changeStates(trx, ids, "expired", { set: { failure_reason: "expired" }, now: now() });
}

async function applyExpiry(shop: PaymentShop, trx: Trx, orders: readonly Order[], session: Pick<PaymentSession, "id">): Promise<void> {
	// the provider may report an expiry twice: by now the purchase may have another session
	if (!(await expireSession(trx, session.id))) return;
	await expireWithReminder(shop, trx, orders);
}

/** Records a payment once. It pays the purchase, or is mismatched and waits for the operator, or is a duplicate and is refunded. */
async function recordPayment(shop: PaymentShop, trx: Trx, orders: readonly [Order, ...Order[]], session: PaymentSession): Promise<void> {
	const now = shop.now();
	const [first] = orders;
	const { paymentId } = session;
	await completeSession(trx, first.id, session, now);
	if (paymentId === null) throw new Error(`the paid session ${sessionLogName(session.id)} has no payment`);
	if (await findPayment(trx, paymentId)) return; // the rule: once; nets: the primary key of payments, payments_one_per_order
	const record = (role: PaymentRole, at: Date) =>
		insertPayment(trx, {
			id: paymentId,
			purchaseId: first.id,
			sessionId: session.id,
			amount: session.amount,
			currency: session.currency,
			role,
			now: at,
		});
	const mismatch = getMismatchReason(session, orders, shop.provider);
	if (mismatch !== null) {
		await record("mismatch", now);
		for (const { id } of orders) {
			await updateOrder(trx, id, { set_aside_at: now });
			await recordEvent(trx, { orderId: id, type: "set_aside", payload: { reason: mismatch }, now });
		}
		await alertOperator(shop, trx, { orderId: first.id, kind: "alert-set-aside", details: { reason: mismatch } });
		return;
	}
	const paidAt = await markPaid(shop, trx, orders);
	// the same instant as the orders': at the end of a month, both count in the same one
	if (paidAt) return record("order", paidAt);
	await record("surplus", now);
	const payment = await findPayment(trx, paymentId);
	if (payment) await requestRefund(shop, trx, first, { reason: "surplus", payment });
	await alertOperator(shop, trx, { orderId: first.id, kind: "alert-surplus" });
}

/** @returns why a payment does not match its purchase, or null when it does. */
function getMismatchReason(session: PaymentSession, orders: readonly Order[], provider: PaymentProvider): string | null {
	if (session.amount !== sumPrices(orders)) return "amount";
	if (session.currency !== "eur") return "currency";
	return session.live === provider.live ? null : "live mode";
}
