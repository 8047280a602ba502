import { alertOperator } from "../emails/alert-operator.server.ts";
import { findOrder, lockOrder, lockOrderWithPurchase } from "../orders/orders.store.server.ts";
import {
	calculateRefundable,
	findPayment,
	findRefund,
	getRefundableAmount,
	incrementRefundAttempt,
	isHeld,
	listRefundsOfPayment,
	type Refund,
	updateRefundAmount,
	updateRefundAsked,
	updateRefundStatus,
} from "../orders/refunds/refunds.store.server.ts";
import type { PaymentShop } from "./payment-shop.ts";
import type { Refusal } from "./provider.ts";
import { syncPayment } from "./sync-payment.server.ts";

/**
 * Makes a requested refund at the provider, once. It first looks for the refund there, because idempotency keys expire after a day
 * (docs.stripe.com/api/idempotent_requests). While a payment is disputed, or a refund is held above the brake, it waits.
 * @throws when the provider cannot be reached: the job is tried again.
 */
export async function carryOutRefund(shop: PaymentShop, refundId: string, { mayRepeat = true } = {}): Promise<void> {
	const refund = await findRefund(shop.db, refundId);
	if (refund === null || (refund.status !== "requested" && refund.status !== "pending")) return;
	if (refund.status === "pending") return syncRefund(shop, refund);
	if (isHeld(refund, shop.now())) return; // its release sends the job again, or the end of its time
	const order = await findOrder(shop.db, refund.order_id);
	if (order?.dispute_status === "open") return; // the end of the dispute sends the job again; net: the provider refuses too
	const found = await shop.provider.findPayment(refund.payment_id);
	if (!found.ok) throw new Error("the payment provider cannot be reached");
	// the rule: once; net: the idempotency key, for two concurrent jobs
	if (!found.payment?.refunds.some(({ reference }) => reference === refund.id)) {
		if (!(await noteAsked(shop, refund))) return handleRefusal(shop, refund, { providerCode: "amount_too_large" }, mayRepeat);
		const created = await shop.provider.refund({
			paymentId: refund.payment_id,
			amount: refund.amount_cents,
			key: `refund-${refund.id}-${refund.amount_cents}-${refund.attempt}`,
			reference: refund.id,
		});
		if (!created.ok && created.code === "unavailable") {
			// the next attempt first looks for the refund, by its reference
			if (created.keyUsedUp) await incrementRefundAttempt(shop.db, refund);
			throw new Error("the payment provider cannot be reached");
		}
		if (!created.ok) return handleRefusal(shop, refund, created, mayRepeat);
	}
	await syncRefund(shop, refund);
}

/**
 * Notes under the locks of the purchase that a refund is being asked for, so that no refund made on the provider's pages takes the same money
 * of its order meanwhile.
 * @returns false when that has happened before: another order of the purchase may have money left at the provider, which this one must not get.
 */
async function noteAsked({ db, now }: PaymentShop, { id, order_id, payment_id }: Refund): Promise<boolean> {
	return db.transaction().execute(async (trx) => {
		const locked = await lockOrderWithPurchase(trx, order_id);
		const payment = await findPayment(trx, payment_id);
		const isTooMuch = locked !== null && payment !== null && (await getRefundableAmount(trx, payment, locked.order)) < 0;
		if (!isTooMuch) await updateRefundAsked(trx, id, now());
		return !isTooMuch;
	});
}

async function syncRefund(shop: PaymentShop, refund: Refund): Promise<void> {
	if (!(await syncPayment(shop, refund.payment_id, null)).ok) throw new Error("the payment provider cannot be reached");
}

/** The provider's codes for a refund that other refunds leave no money for (docs.stripe.com/error-codes). */
const tooMuch = ["charge_already_refunded", "amount_too_large"];

/**
 * The provider refuses a refund when it has a dispute or another refund that is not recorded here yet, so the payment is synced first.
 * If less than the requested amount is left then, the refund is reduced and tried again. It is also tried again, once, when the other
 * refund was returned since the refusal, so that all is left: its event saw this refund still requested, and asked for no other.
 */
async function handleRefusal(
	shop: PaymentShop,
	refund: Refund,
	{ providerCode }: Pick<Refusal, "providerCode">,
	mayRepeat: boolean,
): Promise<void> {
	await updateRefundAsked(shop.db, refund.id, null);
	await syncRefund(shop, refund);
	const next = await shop.db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, refund.order_id);
		const present = await findRefund(trx, refund.id);
		if (order === null || present?.status !== "requested") return null;
		if (order.dispute_status === "open") return null;
		const payment = await findPayment(trx, refund.payment_id);
		const others = payment ? (await listRefundsOfPayment(trx, payment.id)).filter(({ id }) => id !== refund.id) : [];
		const left = payment ? calculateRefundable(others, payment, order).left : 0;
		if (left > 0 && left < present.amount_cents) {
			await updateRefundAmount(trx, refund.id, left);
			return { mayRepeat };
		}
		if (mayRepeat && left >= present.amount_cents && tooMuch.includes(providerCode)) {
			await incrementRefundAttempt(trx, present);
			return { mayRepeat: false };
		}
		await updateRefundStatus(trx, refund.id, "refused", { now: shop.now() });
		await alertOperator(shop, trx, { orderId: order.id, kind: "alert-refund-failed", details: { refund: refund.id, code: providerCode } });
		return null;
	});
	if (next) await carryOutRefund(shop, refund.id, next);
}
