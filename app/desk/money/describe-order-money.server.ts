import { day } from "../../../server/durations.ts";
import { isKeyOf } from "../../../server/types/objects.ts";
import { formatDayStamp, formatInstant } from "../../catalogue/instants.ts";
import { type Cents, cents, formatEuros } from "../../catalogue/money.ts";
import { services } from "../../catalogue/services.ts";
import { findRefundRequest } from "../../orders/customer-requests.store.server.ts";
import { isInProgress, statusLabels } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { listOrdersOfPurchase } from "../../orders/orders.store.server.ts";
import { listRefundablePayments } from "../../orders/refunds/list-refundable-payments.server.ts";
import { operatorCauses } from "../../orders/refunds/operator-causes.ts";
import { isRefundedFrom, listPaymentsOfPurchase, listRefunds } from "../../orders/refunds/refunds.store.server.ts";
import type { Shop } from "../../shop.ts";
import { labelAct } from "../acts/act-table.server.ts";
import { listOpenActs } from "../log/acts.store.server.ts";
import { describeLinePlace } from "../purchase/describe-line-place.ts";
import { describeRefundFields } from "./list-money.server.ts";
import { describeDisputeReason, paymentRoles, refundReasons, refundStates } from "./money-labels.ts";
import { isRefundedAndOpen } from "./stop-acts.server.ts";

export type OrderMoney = Awaited<ReturnType<typeof describeOrderMoney>>;

/**
 * The money of one order: the payment of its purchase, refunds, what waits, and what can be refunded. Duplicate and mismatched payments are
 * refunded from the first order of the purchase. @param me the operator’s id.
 */
export async function describeOrderMoney({ db, now, environment }: Shop, order: Order, me: string) {
	const payments = (await listPaymentsOfPurchase(db, order.purchase_id)).filter((payment) => isRefundedFrom(order, payment));
	const purchase = describeLinePlace(await listOrdersOfPurchase(db, order.purchase_id), order);
	const refundable = new Map((await listRefundablePayments(db, order)).map(({ id, left }) => [id, left]));
	const request = await findRefundRequest(db, order.id);
	const acts = await listOpenActs(db, order.id, new Date(now().getTime() - day));
	const waiting = acts.filter(({ ended_at }) => ended_at === null);
	const refusals = acts.filter(({ ended_at }) => ended_at !== null);
	return {
		id: order.id,
		number: order.order_number,
		company: order.company_name,
		status: statusLabels[order.status],
		service: services[order.product_code].name,
		price: formatEuros(order.price_cents),
		purchase: purchase && { number: purchase.number, line: purchase.line, count: purchase.count },
		isOpen: isInProgress(order.status),
		mayStop: isRefundedAndOpen(order),
		approvalAbove: `${formatEuros(cents(environment.refundApprovalCents))} pour ${purchase ? "toutes les lignes d’une commande groupée" : "une commande"}`,
		payments: payments.map(({ id, role, amount_cents, created_at, dispute_status, dispute_due_at, dispute_reason }) => ({
			id,
			role: role === "order" && purchase ? "Paie la commande groupée" : paymentRoles[role],
			paysOrder: role === "order",
			amount: formatEuros(cents(amount_cents)),
			at: formatDayStamp(created_at),
			left: describeLeft(refundable.get(id) ?? cents(0)),
			dispute: dispute_status && {
				status: dispute_status,
				reason: describeDisputeReason(dispute_reason),
				due: dispute_due_at && formatInstant(dispute_due_at),
			},
		})),
		refunds: (await listRefunds(db, order.id)).map(
			({ id, amount_cents, status, reason, cause, note, requested_at, held_until, closed_at }) => ({
				id,
				amount: formatEuros(amount_cents),
				state: refundStates[status],
				reason: refundReasons[reason],
				note,
				at: formatDayStamp(requested_at),
				cause: cause !== null && isKeyOf(operatorCauses, cause) ? operatorCauses[cause] : null,
				heldUntil: status === "requested" && held_until && held_until > now() ? formatInstant(held_until) : null,
				isUnsettled: (status === "failed" || status === "refused") && closed_at === null,
				isClosed: closed_at !== null,
			}),
		),
		request: request && { message: request.message, at: formatInstant(request.created_at), isOpen: request.decided_at === null },
		waiting: waiting.map(({ key, act, fields, operator_id, operator_name, due_at, needs_approval, approved_by }) => ({
			key,
			label: labelAct(act),
			by: operator_name,
			details: describeRefundFields(fields ?? {}),
			dueAt: due_at && !needs_approval ? due_at.toISOString() : null,
			needsApproval: needs_approval && approved_by === null,
			isMine: operator_id === me,
		})),
		refusals: refusals.map(({ key, act, sentence }) => ({ key, label: labelAct(act), sentence: sentence ?? "" })),
	};
}

const describeLeft = (left: Cents): { cents: number; text: string; half: string } => ({
	cents: left,
	text: formatEuros(left),
	half: formatEuros(cents(Math.floor(left / 2))),
});
