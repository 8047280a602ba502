import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import type { Cents } from "../catalogue/money.ts";
import { carryOutRefundJob } from "./jobs.ts";
import { getRefundableAmount, insertRefund, listPaymentsOfOrder, type RecordedPayment, type RefundReason } from "./refunds.store.server.ts";

export type RefundOutcome =
	| { ok: true; refundId: string; amount: Cents }
	/** `nothing-left`: everything is refunded, or nothing was paid. `too-much`: more than is left. */
	| { ok: false; code: "nothing-left" | "too-much" };

/**
 * Records a refund and sends its job, in the caller's transaction, which holds the order's lock: so the refunds of a payment never
 * exceed the captured amount.
 * @param amount in cents; by default all that is left.
 * @param payment by default the payment that paid the order.
 * @param replaces the returned refund that this one replaces.
 */
export async function requestRefund(
	{ jobs, now }: Context,
	trx: Trx,
	orderId: string,
	{
		reason,
		amount,
		payment,
		replaces = null,
	}: { reason: RefundReason; amount?: Cents; payment?: RecordedPayment; replaces?: string | null },
): Promise<RefundOutcome> {
	const refunded = payment ?? (await listPaymentsOfOrder(trx, orderId)).find(({ role }) => role === "order");
	if (refunded === undefined) return { ok: false, code: "nothing-left" };
	const left = await getRefundableAmount(trx, refunded);
	if (left <= 0) return { ok: false, code: "nothing-left" };
	if (amount !== undefined && amount > left) return { ok: false, code: "too-much" };
	const refund = await insertRefund(trx, {
		payment: refunded,
		amount: amount ?? left,
		reason,
		status: "requested",
		providerId: null,
		replaces,
		now: now(),
	});
	if (refund === null) return { ok: false, code: "nothing-left" };
	await jobs.send(trx, carryOutRefundJob, { refundId: refund.id });
	return { ok: true, refundId: refund.id, amount: refund.amount_cents };
}
