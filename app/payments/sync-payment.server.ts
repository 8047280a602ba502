import type { Trx } from "../../server/database/database.ts";
import { cents } from "../catalogue/money.ts";
import { creditRefundJob } from "../fulfilment/jobs.ts";
import { alertOperator } from "../order-emails/alert-operator.server.ts";
import type { Order } from "../orders/order.ts";
import { findOrder, lockOrder, recordEvent, updateOrder } from "../orders/orders.server.ts";
import { carryOutRefundJob } from "../refunds/jobs.ts";
import {
	findPayment,
	findRefundOf,
	insertRefund,
	type KnownPayment,
	listPaymentsOfOrder,
	listRefunds,
	type Refund,
	setDisputeStatus,
	setRefundStatus,
} from "../refunds/refunds.server.ts";
import { retryRefund } from "../refunds/retry-refund.server.ts";
import { listSessions, recordPaymentEvent } from "./payments.store.server.ts";
import type { Payment, PaymentEvent, ProviderRefund } from "./provider.ts";
import { type SyncDeps, syncSession } from "./sync-session.server.ts";

/**
 * Asks the provider what went back of a payment, and whether it is disputed, and brings its order up to date:
 * refunds of ours and those made on the provider's own pages alike.
 * @param event the event that made us ask, noted in the same transaction so that it is handled once.
 */
export async function syncPayment(deps: SyncDeps, paymentId: string, event: PaymentEvent | null): Promise<"settled" | "unavailable"> {
	for (let attempt = 0; attempt < attempts; attempt++) {
		const before = await knownOf(deps.db, paymentId);
		const found = await deps.provider.findPayment(paymentId);
		if (!found.ok) return "unavailable";
		const { payment } = found;
		// told of a refund before the payment itself
		if (payment?.orderId && before === null) {
			for (const session of await listSessions(deps.db, payment.orderId)) {
				if ((await syncSession(deps, session.id, null)) === "unavailable") return "unavailable";
			}
			if (await findPayment(deps.db, paymentId)) continue;
		}
		const applied = await deps.db.transaction().execute(async (trx) => {
			const order = payment?.orderId ? await lockOrder(trx, payment.orderId) : null;
			// somebody was faster: what was answered to us may be older than what they brought
			if ((await knownOf(trx, paymentId)) !== before) return false;
			if (event && !(await recordPaymentEvent(trx, event.id, event.type, deps.now()))) return true;
			const known = await findPayment(trx, paymentId);
			if (payment === null || order === null || known === null) {
				deps.log.error({ payment: paymentId }, "a payment names no order of ours");
				return true;
			}
			// what came back may have gone out again since: in between, no more is out than was captured
			const [back, out] = [true, false].map((failed) => payment.refunds.filter(({ status }) => (status === "failed") === failed));
			const returned: Refund[] = [];
			for (const told of [...(back ?? []), ...(out ?? [])]) {
				const refund = await settleRefund(deps, trx, known, told);
				if (refund && told.status === "failed") returned.push(refund);
			}
			// not before all is known that went out again
			await retryRefund(deps, trx, order, known, returned);
			if (payment.dispute) await settleDispute(deps, trx, order, known, payment.dispute.status);
			return true;
		});
		if (applied) return "settled";
	}
	return "unavailable";
}

type DisputeStatus = NonNullable<Payment["dispute"]>["status"];
const worstFirst: readonly DisputeStatus[] = ["open", "lost", "won"];

/** How often an answer may have been overtaken before we say that we could not ask. */
const attempts = 10;

/** What is known of a payment, to see whether it changed: null when nothing is. */
async function knownOf(db: Trx | SyncDeps["db"], paymentId: string): Promise<string | null> {
	const payment = await findPayment(db, paymentId);
	if (payment === null) return null;
	const refunds = await listRefunds(db, payment.order_id);
	return JSON.stringify([payment.dispute_status, refunds.map(({ status }) => status)]);
}

/** @returns the refund as it was before; null when nothing is new of it. */
async function settleRefund(deps: SyncDeps, trx: Trx, payment: KnownPayment, told: ProviderRefund): Promise<Refund | null> {
	const now = deps.now();
	const refund =
		(await findRefundOf(trx, payment.id, told)) ??
		(await insertRefund(trx, { payment, amount: told.amount, reason: "dashboard", status: "pending", providerId: told.id, now }));
	if (refund === null || refund.status === told.status) return null;
	await setRefundStatus(trx, refund.id, told.status, { providerId: told.id, now });
	if (told.status === "succeeded") await refundSucceeded(deps, trx, payment, refund);
	if (told.status === "failed") {
		if (refund.status === "succeeded" && payment.role === "order") await addToRefunded(trx, refund, -refund.amount_cents);
		await alertOperator(deps, trx, refund.order_id, "alert-refund-failed", { refund: refund.id });
	}
	return refund;
}

async function refundSucceeded({ jobs, now }: SyncDeps, trx: Trx, payment: KnownPayment, refund: Refund): Promise<void> {
	if (payment.role === "order") await addToRefunded(trx, refund, refund.amount_cents);
	const payload = { amount: refund.amount_cents, reason: refund.reason, ...(payment.role !== "order" && { surplus: true }) };
	await recordEvent(trx, refund.order_id, "refunded", payload, now());
	await jobs.send(trx, creditRefundJob, { refundId: refund.id });
}

/** The caller holds the order's lock. The order is read again: another refund of the same answer may have been added before. */
async function addToRefunded(trx: Trx, refund: Refund, amount: number): Promise<void> {
	const order = await findOrder(trx, refund.order_id);
	if (order) await updateOrder(trx, order.id, { refunded_cents: cents(order.refunded_cents + amount) });
}

/**
 * A dispute freezes downloads and refunds; a won one lets them go on, a lost one leaves nothing of its payment to give back.
 * Of two disputed payments the worse counts for the order.
 */
async function settleDispute(deps: SyncDeps, trx: Trx, order: Order, payment: KnownPayment, status: DisputeStatus): Promise<void> {
	if (payment.dispute_status === status) return;
	const now = deps.now();
	await setDisputeStatus(trx, payment.id, status);
	const known = (await listPaymentsOfOrder(trx, order.id)).map(({ dispute_status }) => dispute_status);
	const worst = worstFirst.find((candidate) => known.includes(candidate)) ?? status;
	await updateOrder(trx, order.id, { dispute_status: worst, disputed_at: worst === "won" ? null : (order.disputed_at ?? now) });
	await recordEvent(trx, order.id, "disputed", { status }, now);
	if (status === "open") return alertOperator(deps, trx, order.id, "alert-dispute");
	if (status === "lost") await alertOperator(deps, trx, order.id, "alert-dispute-lost");
	else deps.log.warn({ order: order.id }, "a dispute is won");
	for (const refund of await listRefunds(trx, order.id)) {
		if (refund.status !== "requested") continue;
		if (status === "lost" && refund.payment_id === payment.id) await setRefundStatus(trx, refund.id, "refused", { now });
		else await deps.jobs.send(trx, carryOutRefundJob, { refundId: refund.id });
	}
}
