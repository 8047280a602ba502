import { typedKeys } from "../../server/types/objects.ts";
import type { Order } from "./order.ts";

/**
 * The states of an order and its transitions, in one table. Every change of state is one conditional update (`changeState` in the
 * store): when the order is in none of the states `from`, it changes nothing and returns null.
 */
export type OrderStatus = "pending" | "paid" | "processing" | "completed" | "failed";

/** `in-progress`: paid, and owed to the customer. `final`: only refunds may follow. */
const phases: Record<OrderStatus, "waits-for-payment" | "in-progress" | "final"> = {
	pending: "waits-for-payment",
	paid: "in-progress",
	processing: "in-progress",
	completed: "final",
	failed: "final",
};

export const orderStatuses = typedKeys(phases);
export const inProgressStatuses = orderStatuses.filter(isInProgress);
export const finalStatuses = orderStatuses.filter(isFinal);

export function isInProgress(status: OrderStatus): boolean {
	return phases[status] === "in-progress";
}

export function isFinal(status: OrderStatus): boolean {
	return phases[status] === "final";
}

/** Whether a customer may pay the order. An order with a mismatched payment waits for the operator instead. */
export function isPayable(order: Pick<Order, "status" | "failure_reason" | "paid_at" | "set_aside_at" | "erased_at">): boolean {
	if (order.paid_at !== null || order.set_aside_at !== null || order.erased_at !== null) return false;
	return order.status === "pending" || order.failure_reason === transitions.resumed.after;
}

/** Whether its customer cancelled the order. */
export const isCancelled = ({ failure_reason }: { failure_reason: string | null }): boolean => failure_reason === "cancelled";

/** Whether an order that failed is still to be refunded in full. A dispute stops it. */
export const isRefundDue = (order: Pick<Order, "status" | "paid_at" | "disputed_at" | "refunded_cents" | "price_cents">): boolean =>
	order.status === "failed" && order.paid_at !== null && order.disputed_at === null && order.refunded_cents < order.price_cents;

/** Whether an order may change without its customer: while it is not final, and while its refund is due. Its page is then live. */
export const mayChange = (order: Parameters<typeof isRefundDue>[0]): boolean => !isFinal(order.status) || isRefundDue(order);

export const transitions = {
	/** The provider says paid, and amount, currency and order match. */
	paid: { from: ["pending"], to: "paid" },
	/** The issuer took the order: it waits for its extract, whether or not the registry was asked yet. */
	processing: { from: ["paid"], to: "processing" },
	/** The extract is delivered: by its e-mail, on the page of a purchase of several, or by its posting (completeAfter). */
	completed: { from: ["processing"], to: "completed" },
	/** The issuer or the operator failed it: a full refund is requested in the same transaction. */
	failed: { from: ["paid", "processing"], to: "failed" },
	/** The customer cancelled it before the delivery: a full refund is requested in the same transaction. */
	cancelled: { from: ["pending", "paid", "processing"], to: "failed" },
	/** The payment session expired. */
	expired: { from: ["pending"], to: "failed" },
	/** The customer came back to pay an expired order: it gets a new session. */
	resumed: { from: ["failed"], to: "pending", after: "expired" },
} as const satisfies Record<string, { from: readonly OrderStatus[]; to: OrderStatus; after?: FailureReason }>;

/** Why an order failed. `not-available`, `not-found`: the issuer's answer. */
export type FailureReason = "expired" | "cancelled" | "not-available" | "not-found" | "operator";

/** Why the registry has no extract: the company is removed, the number is another's, or no body of this kind has one. */
export type NotFoundReason = "removed" | "wrong-siren" | "no-kbis" | "unknown";

export const notFoundReasons = ["removed", "wrong-siren", "no-kbis", "unknown"] as const satisfies readonly NotFoundReason[];

export type Transition = keyof typeof transitions;

/** The types of events: the transitions, and other things that happen to an order. */
export type EventType =
	| Transition
	| "created"
	/** The registry was asked for the extract: said by an operator, or by an issuer that asks by itself. */
	| "extract_requested"
	| "document_issued"
	| "document_sent"
	| "posted"
	| "extract_replaced"
	| "tracking_corrected"
	| "refunded"
	| "disputed"
	| "set_aside"
	| "late"
	| "mail_sent"
	| "mail_bounced"
	| "refund_requested"
	| "invoice_corrected"
	| "address_corrected"
	| "company_changed"
	/** The customer asked for no more e-mails about what is published after the extract. */
	| "watch_ended";

/** The names of the states on the tracking page (docs/rules.md, R20). */
export const statusLabels: Record<OrderStatus, string> = {
	pending: "En attente",
	paid: "Payé",
	processing: "En traitement",
	completed: "Terminé",
	failed: "Échec",
};

/** What the customer reads of an order that they cancelled, in place of « Échec ». */
export const cancelledLabel = "Annulée";

/** The four steps on the confirmation and tracking pages (R20). The last step of a letter is its posting, as its delivery is unknown. */
export const progressSteps = {
	email: ["Reçu", "En traitement", "Prêt", "Livré"],
	postal: ["Reçu", "En traitement", "Prêt", "Posté"],
} as const;

/** @returns how many of the four steps are over; 0 before the payment. « En traitement » is over when the extract is there. */
export function getProgress(
	{ status, paid_at }: { status: OrderStatus; paid_at: Date | null },
	{ documentIssued }: { documentIssued: boolean },
): number {
	if (status === "completed") return 4;
	if (documentIssued) return 3;
	return paid_at === null ? 0 : 1;
}

/** @returns the place of the present step, from 1; 0 before the payment. @param progress of getProgress. */
export const getPresentStep = (status: OrderStatus, progress: number): number =>
	status === "processing" ? Math.max(progress, 2) : progress;
