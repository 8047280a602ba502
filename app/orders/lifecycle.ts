import { typedKeys } from "../../server/types/objects.ts";
import type { Order } from "./order.ts";

/**
 * The life of an order, in one table. Every change of state is one conditional update (`changeState` in the store):
 * a change whose `from` no longer holds is a no-op, never an error.
 */
export type OrderStatus = "pending" | "paid" | "processing" | "completed" | "failed";

/** `in-progress`: paid, and owed to the customer. `final`: only money may still move. */
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

/** Whether an order waits for its payment; what was paid and does not fit waits for the operator instead. */
export function isPayable(order: Pick<Order, "status" | "failure_reason" | "paid_at" | "set_aside_at" | "erased_at">): boolean {
	if (order.paid_at !== null || order.set_aside_at !== null || order.erased_at !== null) return false;
	return order.status === "pending" || order.failure_reason === transitions.resumed.after;
}

export const transitions = {
	/** The provider says paid, and amount, currency and order match. */
	paid: { from: ["pending"], to: "paid" },
	/** The issuer accepted the request. */
	processing: { from: ["paid"], to: "processing" },
	/** E-mail: document stored and mail handed over. Postal: posted, tracking number kept. */
	completed: { from: ["processing"], to: "completed" },
	/** The issuer or the operator ended it: a full refund is requested in the same transaction. */
	failed: { from: ["paid", "processing"], to: "failed" },
	/** The customer ended it before anything was delivered: what was paid is refunded in the same transaction. */
	cancelled: { from: ["pending", "paid", "processing"], to: "failed" },
	/** The payment session ran out. */
	expired: { from: ["pending"], to: "failed" },
	/** The customer came back to pay after that: a new session. */
	resumed: { from: ["failed"], to: "pending", after: "expired" },
} as const satisfies Record<string, { from: readonly OrderStatus[]; to: OrderStatus; after?: FailureReason }>;

/** Why an order failed. `not-available`, `not-found`: what the issuer said. */
export type FailureReason = "expired" | "cancelled" | "not-available" | "not-found" | "operator";

export type Transition = keyof typeof transitions;

/** What an event row may tell; the states' own changes and the facts beside them. */
export type EventType =
	| Transition
	| "created"
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
	| "refund_requested";

/** The states' names on the tracking page (docs/rules.md, R20). */
export const statusLabels: Record<OrderStatus, string> = {
	pending: "En attente",
	paid: "Payé",
	processing: "En traitement",
	completed: "Terminé",
	failed: "Échec",
};

/** Confirmation and tracking: four steps (R20). A letter is posted; its delivery is not known. */
export const progressSteps = {
	email: ["Reçu", "En traitement", "Prêt", "Livré"],
	postal: ["Reçu", "En traitement", "Prêt", "Posté"],
} as const;

/** @returns 0 to 4: how many of the steps are done. None before the order is paid. */
export function getProgress(
	{ status, paid_at }: { status: OrderStatus; paid_at: Date | null },
	{ documentIssued }: { documentIssued: boolean },
): number {
	if (status === "completed") return 4;
	if (documentIssued) return 3;
	if (status === "processing") return 2;
	return paid_at === null ? 0 : 1;
}
