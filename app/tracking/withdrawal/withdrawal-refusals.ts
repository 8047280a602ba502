import { isPosted } from "../../catalogue/services.ts";
import type { Order } from "../../orders/order.ts";

/** Why an order cannot be withdrawn from. */
export type WithdrawalRefusal = "never-paid" | "cancelled" | "refunded" | "waived" | "too-late";

/** The same steps end the right to withdraw and the right to cancel. */
const served = ({ product_code }: Order) => (isPosted(product_code) ? "votre courrier est posté" : "votre extrait est prêt");

const sentences: Record<WithdrawalRefusal, (order: Order) => string> = {
	"never-paid": () => "Cette commande n’a pas été payée : elle est déjà close, et rien ne vous est dû.",
	cancelled: () => "Cette commande est déjà annulée et remboursée.",
	refunded: () => "Cette commande vous a déjà été remboursée en totalité.",
	waived: (order) =>
		`Vous aviez demandé l’exécution immédiate et reconnu perdre votre droit de rétractation une fois le document livré\u00a0; or ${served(order)} (article L221-28, 1° du code de la consommation).`,
	"too-late": () => "Le délai de rétractation de quatorze jours est écoulé (article L221-18 du code de la consommation).",
};

/** The reason that a receipt gives. It is recorded with the withdrawal: a receipt keeps its words. */
export const describeWithdrawalRefusal = (code: WithdrawalRefusal, order: Order) => sentences[code](order);
