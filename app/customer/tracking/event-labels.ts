import { cents, formatEuros } from "../../catalogue/money.ts";
import type { EventType } from "../../orders/lifecycle.ts";

type Payload = Readonly<Record<string, unknown>>;

/** The events of an order, for its customer. Null: not shown. */
const eventLabels: Record<EventType, string | null | ((payload: Payload) => string)> = {
	created: "Commande enregistrée",
	paid: "Paiement reçu",
	processing: "Demande enregistrée",
	extract_requested: "Demande transmise au greffe",
	document_issued: "Extrait prêt",
	document_sent: "Extrait envoyé par e-mail",
	posted: ({ again }) => (again ? "Nouveau courrier posté" : "Courrier posté"),
	extract_replaced: ({ post }) =>
		post ? "Extrait remplacé\u00a0: un nouveau courrier va vous être envoyé" : "Extrait remplacé par un nouveau",
	tracking_corrected: "Numéro de suivi du courrier corrigé",
	completed: "Commande terminée",
	failed: "Commande en échec\u00a0: vous êtes remboursé",
	expired: "Paiement non reçu à temps",
	resumed: "Paiement repris",
	refund_requested: "Remboursement demandé",
	invoice_corrected: ({ invoice, replaces }) => `Facture corrigée\u00a0: la ${invoice} remplace la ${replaces}`,
	address_corrected: ({ letter, resent }) =>
		letter ? "Adresse de livraison corrigée" : resent ? "Extrait envoyé à une autre adresse" : "Adresse e-mail corrigée",
	company_changed: ({ name }) => `Entreprise corrigée\u00a0: ${name}`,
	refunded: ({ amount, surplus }) =>
		`${surplus ? "Paiement en double remboursé" : "Remboursement effectué"}${typeof amount === "number" ? `\u00a0: ${formatEuros(cents(amount))}` : ""}`,
	disputed: ({ status }) =>
		status === "won"
			? "Contestation terminée\u00a0: le paiement est maintenu"
			: status === "lost"
				? "Contestation terminée\u00a0: la banque vous a remboursé"
				: "Paiement contesté auprès de la banque",
	set_aside: "Paiement en cours de vérification",
	late: "Délai dépassé",
	mail_sent: null,
	mail_bounced: ({ kind }) =>
		typeof kind === "string" && kind.endsWith("-delivery")
			? "L’e-mail à votre destinataire a été refusé par sa messagerie"
			: "Un e-mail a été refusé par votre messagerie",
	cancelled: "Commande annulée à votre demande",
	watch_ended: "E-mails sur les annonces publiées arrêtés à votre demande",
};

/** @returns the sentence for one event of the history, or null. */
export function describeEvent(type: EventType, payload: Payload): string | null {
	const sentence = eventLabels[type];
	return typeof sentence === "function" ? sentence(payload) : sentence;
}
