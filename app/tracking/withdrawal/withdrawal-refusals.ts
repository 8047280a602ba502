import { isPosted } from "../../catalogue/services.ts";
import type { Order } from "../../orders/order.ts";

/** Why a customer cannot withdraw from an order. */
export type WithdrawalRefusal = "never-paid" | "cancelled" | "refunded" | "waived" | "too-late";

/** The delivery that ends the rights to withdraw and to cancel. */
const describeDelivery = ({ product_code }: Order) => (isPosted(product_code) ? "votre courrier est posté" : "votre extrait est prêt");

const sentences: Record<WithdrawalRefusal, (order: Order) => string> = {
	"never-paid": () => "Cette commande n’a jamais été payée\u00a0: il n’y a rien à vous rembourser.",
	cancelled: () => "Cette commande est déjà annulée et remboursée.",
	refunded: () => "Cette commande vous a déjà été remboursée en totalité.",
	waived: (order) =>
		`Vous avez demandé l’exécution immédiate et reconnu que vous perdiez votre droit de rétractation une fois le document livré. Or ${describeDelivery(order)} (article L221-28, 1° du code de la consommation).`,
	"too-late": () => "Le délai de rétractation de quatorze jours est écoulé (article L221-18 du code de la consommation).",
};

/** The reason on the receipt. The sentence itself is recorded with the withdrawal, so that the receipt never changes. */
export const describeWithdrawalRefusal = (code: WithdrawalRefusal, order: Order) => sentences[code](order);
