import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import type { Cents } from "../catalogue/money.ts";
import { carryOutRefundJob } from "./jobs.ts";
import { getRefundableAmount, insertRefund, listPaymentsOfOrder, type RecordedPayment, type RefundReason } from "./refunds.store.server.ts";

export type RequestedRefund =
	| { ok: true; refundId: string; amount: Cents }
	/** `nothing-left`: all was given back already, or never paid. `too-much`: more than is left. */
	| { ok: false; code: "nothing-left" | "too-much" };

/**
 * Records a refund and sends the job that carries it out, in the caller's transaction, which holds the order's lock:
 * together, the refunds of a payment never exceed what was captured.
 * @param amount in cents; all that is left when it is not given.
 * @param payment the payment that paid the order when it is not given.
 * @param replaces the refund that came back, which this one makes again.
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
): Promise<RequestedRefund> {
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
