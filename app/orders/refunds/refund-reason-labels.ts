import { serviceCodes, services } from "../../catalogue/services.ts";
import type { RefundReason } from "./refunds.store.server.ts";

const refundedWhenLate = serviceCodes
	.filter((code) => services[code].refundedWhenLate)
	.map((code) => services[code].name)
	.join(" ou ");

/** The reasons of refunds, for customers. */
export const refundReasonLabels = {
	failed: "Votre commande n’a pas pu être exécutée.",
	cancelled: "Vous avez annulé votre commande avant la livraison.",
	late: `Le délai du service ${refundedWhenLate} n’a pas été tenu\u00a0: nous vous le remboursons en entier. Vous recevrez quand même votre extrait.`,
	withdrawal: "Votre rétractation est acceptée\u00a0: voici votre remboursement.",
	guarantee: "Vous nous avez signalé un extrait erroné ou inutilisable, et nous l’avons vérifié.",
	operator: "Nous avons décidé de vous rembourser.",
	surplus: "Cette commande a été payée deux fois\u00a0: le second paiement vous est remboursé.",
	dashboard: "Nous avons décidé de vous rembourser.",
} as const satisfies Record<RefundReason, string>;

/** Shown with every refund: the date depends on the customer's bank. */
export const bankDays =
	"Vous recevrez la somme sur la carte utilisée pour le paiement. Selon votre banque, elle apparaît sur votre relevé sous 5 à 10\u00a0jours ouvrés. Vous n’avez rien à faire.";
