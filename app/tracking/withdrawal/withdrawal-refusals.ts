import { formatInstant } from "../../catalogue/instants.ts";
import { isPosted } from "../../catalogue/services.ts";
import type { Order } from "../../orders/order.ts";

/** Why a customer cannot withdraw from an order. */
export type WithdrawalRefusal = "never-paid" | "cancelled" | "refunded" | "waived" | "too-late";

/**
 * The delivery that ended the right to withdraw. A PDF is delivered once the tracking page has it (docs/rules.md, R28), which may be
 * before its e-mail is sent.
 */
function describeDelivery({ product_code, status, completed_at }: Order, readyAt: Date | null): string {
	const sentAt = status === "completed" && completed_at ? ` le ${formatInstant(completed_at)}` : null;
	if (isPosted(product_code)) return `votre courrier a été posté${sentAt ?? ""}`;
	if (sentAt !== null) return `votre extrait vous a été envoyé${sentAt}`;
	return `votre extrait est livré\u00a0: il est disponible sur la page de suivi${readyAt ? ` depuis le ${formatInstant(readyAt)}` : ""}`;
}

const sentences: Record<WithdrawalRefusal, (order: Order, readyAt: Date | null) => string> = {
	"never-paid": () => "Cette commande n’a jamais été payée\u00a0: il n’y a rien à vous rembourser.",
	cancelled: () => "Cette commande est déjà annulée et remboursée.",
	refunded: () => "Cette commande vous a déjà été remboursée en totalité.",
	waived: (order, readyAt) =>
		`Vous avez demandé l’exécution immédiate et reconnu que vous perdiez votre droit de rétractation une fois le document livré. Or ${describeDelivery(order, readyAt)} (article L221-28, 1° du code de la consommation).`,
	"too-late": () => "Le délai de rétractation de quatorze jours est écoulé (article L221-18 du code de la consommation).",
};

/**
 * The reason on the receipt. The sentence itself is recorded with the withdrawal, so that the receipt never changes.
 * @param readyAt when the extract was stored; null without one.
 */
export const describeWithdrawalRefusal = (code: WithdrawalRefusal, order: Order, readyAt: Date | null) => sentences[code](order, readyAt);
