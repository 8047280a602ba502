/**
 * The life of an order, in one table. Every change of state is one conditional update (`changeState` in the store):
 * a change whose `from` no longer holds is a no-op, never an error.
 */
export type OrderStatus = "pending" | "paid" | "processing" | "completed" | "failed";

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
export function progressOf(
	{ status, paid_at }: { status: OrderStatus; paid_at: Date | null },
	{ documentIssued }: { documentIssued: boolean },
): number {
	if (status === "completed") return 4;
	if (documentIssued) return 3;
	if (status === "processing") return 2;
	return paid_at === null ? 0 : 1;
}
