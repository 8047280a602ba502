import { day } from "../../../server/durations.ts";
import { isKeyOf } from "../../../server/types/objects.ts";
import { formatMonth, getMonth, type Month } from "../../books/month.ts";
import { formatDayStamp, formatInstant, formatLongDay, formatShortInstant } from "../../catalogue/instants.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { operatorCauses } from "../../orders/refunds/operator-causes.ts";
import type { Difference } from "../../payments/payments.store.server.ts";
import type { Shop } from "../../shop.ts";
import { labelAct } from "../acts/act-table.server.ts";
import { listActsToApprove } from "../log/acts.store.server.ts";
import { describeTimeToAnswer } from "../messages/time-to-answer.ts";
import {
	findLastReconciliation,
	listLatestRefunds,
	listOpenDisputes,
	listOpenRequests,
	listPayments,
	listPaymentsOnHold,
	listUnsettledRefunds,
} from "./money.store.server.ts";
import { describeDisputeReason, paymentRoles, refundReasons, refundStates } from "./money-labels.ts";

const euros = (amount: number) => formatEuros(cents(amount));

const limit = 100;
const pageSize = 40;
export type MoneyOverview = Awaited<ReturnType<typeof listMoney>>;

/** What the page of money shows. @param query `avant`: payments before an instant. @param me the operator who looks. */
export async function listMoney({ db, now }: Pick<Shop, "db" | "now">, query: URLSearchParams, me: string) {
	const before = new Date(query.get("avant") ?? "");
	const [requests, disputes, unsettled, onHold, refunds] = [
		await listOpenRequests(db, limit),
		await listOpenDisputes(db, limit),
		await listUnsettledRefunds(db, limit),
		await listPaymentsOnHold(db, limit),
		await listLatestRefunds(db, pageSize),
	];
	const payments = await listPayments(db, { before: Number.isNaN(before.getTime()) ? null : before, limit: pageSize + 1 });
	const last = payments[pageSize - 1];
	return {
		toApprove: await listApprovals(db, me),
		requests: requests.map(({ id, created_at, message, order_number, company_name }) => ({
			id,
			message,
			number: order_number,
			company: company_name,
			wait: describeTimeToAnswer(created_at, now()),
		})),
		disputes: disputes.map(({ id, amount_cents, dispute_reason, dispute_due_at, order_number, company_name, lines }) => ({
			id,
			amount: euros(amount_cents),
			reason: describeDisputeReason(dispute_reason),
			number: order_number,
			company: nameBought(company_name, lines),
			due: dispute_due_at && formatInstant(dispute_due_at),
			isUrgent: dispute_due_at !== null && dispute_due_at.getTime() - now().getTime() < 2 * day,
		})),
		unsettled: unsettled.map(({ id, amount_cents, status, reason, requested_at, order_number, company_name }) => ({
			id,
			amount: euros(amount_cents),
			state: refundStates[status],
			reason: refundReasons[reason],
			asked: formatLongDay(requested_at),
			number: order_number,
			company: company_name,
		})),
		onHold: onHold.map(({ id, role, amount_cents, currency, created_at, order_number, company_name, price_cents, left, lines }) => ({
			id,
			role: paymentRoles[role],
			amount: euros(amount_cents),
			currency,
			at: formatShortInstant(created_at),
			number: order_number,
			company: nameBought(company_name, lines),
			price: euros(price_cents),
			left: euros(left),
		})),
		refunds: refunds.map(({ id, amount_cents, status, reason, cause, requested_at, held_until, order_number, company_name }) => ({
			id,
			amount: euros(amount_cents),
			state: refundStates[status],
			at: formatDayStamp(requested_at),
			reason: cause !== null && isKeyOf(operatorCauses, cause) ? operatorCauses[cause] : refundReasons[reason],
			heldUntil: status === "requested" && held_until && held_until > now() ? formatInstant(held_until) : null,
			number: order_number,
			company: company_name,
		})),
		payments: payments
			.slice(0, pageSize)
			.map(({ id, role, amount_cents, created_at, dispute_status, order_number, company_name, refunded, lines }) => ({
				id,
				role: paymentRoles[role],
				isUsual: role === "order",
				amount: euros(amount_cents),
				at: formatDayStamp(created_at),
				number: order_number,
				company: nameBought(company_name, lines),
				refunded: refunded > 0 ? euros(refunded) : null,
				dispute: dispute_status,
			})),
		next: payments.length > pageSize && last ? new URLSearchParams({ avant: last.created_at.toISOString() }).toString() : null,
		reconciliation: await describeReconciliation(db),
		month: describeMonth(getMonth(now())),
	};
}

/** « DANONE et 39 autres » */
const nameBought = (company: string, lines: number) => (lines === 1 ? company : `${company} et ${lines - 1} autre${lines > 2 ? "s" : ""}`);

const describeMonth = (month: Month) => ({ month, name: formatMonth(month) });

async function listApprovals(db: Shop["db"], me: string) {
	const acts = [];
	for (const { key, act, order_id, fields, operator_id, operator_name, requested_at } of await listActsToApprove(db)) {
		const order = order_id === null ? null : await findOrder(db, order_id);
		acts.push({
			key,
			label: labelAct(act),
			by: operator_name,
			at: formatShortInstant(requested_at),
			isMine: operator_id === me,
			number: order?.order_number ?? null,
			details: describeRefundFields(fields ?? {}),
		});
	}
	return acts;
}

/** What a waiting refund says of itself. */
export function describeRefundFields({ part, amount, left, cause, note }: Readonly<Record<string, string>>): string {
	const leftText = left && /^\d+$/.test(left) ? euros(Number(left)) : "";
	const sum = part === "other" ? `${amount ?? ""}\u00a0€` : part === "half" ? `la moitié de ${leftText}` : leftText;
	const why = cause !== undefined && isKeyOf(operatorCauses, cause) ? operatorCauses[cause] : "";
	return [sum, why, note].filter(Boolean).join(", ");
}

const differenceLabels: Record<Difference["what"], string> = {
	"missing-here": "Inconnu chez nous",
	"missing-there": "Inconnu chez le prestataire",
	amount: "Montant encaissé différent",
	refunded: "Montant rendu différent",
};

async function describeReconciliation(db: Shop["db"]) {
	const report = await findLastReconciliation(db);
	if (report === null) return null;
	const { since, until, compared, differences, numbers, recorded } = report;
	return {
		period: `du ${formatDayStamp(since)} au ${formatDayStamp(until)}`,
		compared,
		differences: differences.map(({ paymentId, orderId, what, here, there, copy }) => {
			const number = orderId === null ? null : (numbers.get(orderId) ?? null);
			const recreate = orderId !== null && (copy === "lost" || copy === "behind");
			const isRecorded = recorded.has(paymentId);
			return {
				paymentId,
				orderId,
				number,
				label: differenceLabels[what],
				here: here === null ? "rien" : euros(here),
				there: there === null ? "rien" : euros(there),
				// what an operator can do with it
				may: { recreate, adopt: number !== null, refund: number !== null && isRecorded && what !== "missing-there" },
				/** What comes before a refund: the page of the order has no payment yet that could be refunded. */
				first: isRecorded ? null : number === null ? (recreate ? ("recreate" as const) : null) : ("adopt" as const),
				isUnknown: number === null && !copy,
			};
		}),
	};
}
