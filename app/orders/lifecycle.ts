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
	/** The issuer, the operator or the customer's cancellation ended it: a full refund is due. */
	failed: { from: ["paid", "processing"], to: "failed" },
	/** The payment session ran out. */
	expired: { from: ["pending"], to: "failed" },
	/** The customer came back to pay: a new session. */
	resumed: { from: ["failed"], to: "pending" },
} as const satisfies Record<string, { from: readonly OrderStatus[]; to: OrderStatus }>;

export type Transition = keyof typeof transitions;

/** What an event row may tell; the states' own changes and the facts beside them. */
export type EventType =
	| Transition
	| "created"
	| "document_issued"
	| "document_sent"
	| "posted"
	| "refunded"
	| "disputed"
	| "set_aside"
	| "late"
	| "mail_sent"
	| "mail_bounced"
	| "cancelled";

/** Tracking page: the specification's labels (section 4). */
export const statusLabels: Record<OrderStatus, string> = {
	pending: "En attente",
	paid: "Payé",
	processing: "En traitement",
	completed: "Terminé",
	failed: "Échec",
};

/** Confirmation page: four steps, of which all up to the present one are done. */
export const progressSteps = ["Reçu", "En traitement", "Prêt", "Livré"] as const;

/** @returns 1 to 4: how many of `progressSteps` are reached. */
export function progressOf(status: OrderStatus, documentIssued: boolean): number {
	if (status === "completed") return 4;
	if (documentIssued) return 3;
	return status === "processing" ? 2 : 1;
}
