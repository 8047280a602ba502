import type { EventType } from "./lifecycle.ts";

/** An order's history in its customer's words. Null: of no interest to them. */
export const eventWords: Record<EventType, string | null> = {
	created: "Commande enregistrée",
	paid: "Paiement reçu",
	processing: "Demande transmise, en traitement",
	document_issued: "Document émis",
	document_sent: "Document envoyé par e-mail",
	posted: "Courrier posté",
	completed: "Commande terminée",
	failed: "Commande en échec",
	expired: "Paiement non reçu à temps",
	resumed: "Paiement repris",
	refunded: "Remboursement effectué",
	disputed: "Paiement contesté",
	set_aside: "Paiement en cours de vérification",
	late: "Délai dépassé",
	mail_sent: null,
	mail_bounced: "Un e-mail n’a pas pu vous être remis",
	cancelled: "Commande annulée",
};
