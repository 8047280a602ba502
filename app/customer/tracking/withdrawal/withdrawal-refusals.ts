import { formatInstant } from "../../../catalogue/instants.ts";
import { isPosted } from "../../../catalogue/services.ts";
import type { Order } from "../../../orders/order.ts";

/** The answer about an order that was never paid: nothing is declared, because its customer may still pay it, and withdraw then. */
export const neverPaid =
	"Cette commande n’a pas été payée\u00a0: aucun contrat n’est conclu et vous ne devez rien. Si vous avez été débité, écrivez-nous.";

/** Why a customer cannot withdraw from an order. */
export type WithdrawalRefusal = "cancelled" | "failed" | "refunded" | "waived" | "too-late";

/** What ended the right to withdraw (docs/rules.md, R220). A PDF is ready once the tracking page has it, which may be before its e-mail is sent. */
function describeExecution({ product_code, status, completed_at }: Order, readyAt: Date | null): string {
	const completedAt = status === "completed" ? completed_at : null;
	if (isPosted(product_code)) return `votre courrier a été posté${completedAt ? ` le ${formatInstant(completedAt)}` : ""}`;
	// a replacement is stored later than the first extract was sent
	const since = readyAt && completedAt ? new Date(Math.min(readyAt.getTime(), completedAt.getTime())) : (readyAt ?? completedAt);
	return `votre extrait est prêt, sur la page de suivi${since ? `, depuis le ${formatInstant(since)}` : ""}`;
}

const sentences: Record<WithdrawalRefusal, (order: Order, readyAt: Date | null) => string> = {
	cancelled: () => "Cette commande est déjà annulée, et son prix vous est remboursé.",
	failed: () => "Cette commande n’a pas abouti, et son prix vous est remboursé sans que vous ayez à le demander.",
	refunded: () => "Cette commande vous a déjà été remboursée en totalité.",
	waived: (order, readyAt) =>
		`Vous avez demandé l’exécution immédiate et reconnu que vous perdriez ainsi votre droit de rétractation. Or ${describeExecution(order, readyAt)}\u00a0: notre service est pleinement exécuté (article L221-28, 1° du code de la consommation).`,
	"too-late": () => "Le délai de rétractation de quatorze jours est écoulé (article L221-18 du code de la consommation).",
};

/**
 * The reason on the receipt. The sentence itself is recorded with the withdrawal, so that the receipt never changes.
 * @param readyAt when the extract was stored; null without one.
 */
export const describeWithdrawalRefusal = (code: WithdrawalRefusal, order: Order, readyAt: Date | null) => sentences[code](order, readyAt);
