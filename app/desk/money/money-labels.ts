import type { Refund } from "../../orders/refunds/refunds.store.server.ts";
import type { StatusKind } from "../../ui/notice.tsx";

export const refundStates: Record<Refund["status"], { kind: StatusKind; label: string }> = {
	requested: { kind: "waiting", label: "Demandé" },
	pending: { kind: "waiting", label: "En cours à la banque" },
	succeeded: { kind: "done", label: "Fait" },
	failed: { kind: "failed", label: "Revenu de la banque" },
	refused: { kind: "failed", label: "Refusé" },
};

/** Why money goes back, for operators. */
export const refundReasons: Record<Refund["reason"], string> = {
	failed: "commande arrêtée ou sans extrait",
	cancelled: "annulation",
	late: "retard",
	withdrawal: "rétractation",
	guarantee: "demande du client accordée",
	operator: "décision d’un opérateur",
	surplus: "paiement en double",
	dashboard: "fait chez le prestataire",
};

export const paymentRoles = { order: "Paie la commande", surplus: "Paiement en double", mismatch: "Ne correspond pas" } as const;

/** Stripe's reasons of disputes (docs.stripe.com/disputes/categories). */
const disputeReasons: Record<string, string> = {
	fraudulent: "paiement non reconnu par le porteur de la carte",
	duplicate: "débité deux fois",
	product_not_received: "produit non reçu",
	product_unacceptable: "produit non conforme",
	subscription_canceled: "abonnement résilié",
	unrecognized: "opération non reconnue sur le relevé",
	credit_not_processed: "remboursement non reçu",
	general: "sans catégorie",
};

export const describeDisputeReason = (code: string | null): string => (code === null ? "inconnu" : (disputeReasons[code] ?? code));
