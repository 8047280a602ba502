import { randomUUID } from "node:crypto";
import type { Runtime } from "../../server/runtime.ts";
import { isPosted } from "../catalogue/services.ts";
import { withdrawalEndsAt } from "../catalogue/withdrawal.ts";
import { queueOrderEmail } from "../order-emails/queue-order-email.server.ts";
import { findWithdrawal, insertWithdrawal, type Withdrawal } from "../orders/customer-requests.server.ts";
import type { Order } from "../orders/order.ts";
import { lockOrder } from "../orders/orders.server.ts";
import { requestRefund } from "../refunds/request-refund.server.ts";
import { cancelLocked } from "./cancel-order.server.ts";

/**
 * Receives a declaration of withdrawal (C. conso. art. L221-21) and answers it at once: before delivery the order is cancelled
 * and refunded; after it, refunded within fourteen days unless the customer had waived the right (L221-28, 1°), and refused
 * with the reason otherwise. The receipt goes by mail. A second declaration gives the first one again.
 */
export async function withdraw(deps: Pick<Runtime, "db" | "jobs" | "now">, orderId: string): Promise<Withdrawal | null> {
	return deps.db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		if (order === null) return null;
		const known = await findWithdrawal(trx, orderId);
		if (known) return known; // the rule; net: withdrawals.order_id is unique
		const cancelled = await cancelLocked(deps, trx, order);
		const reason = cancelled ? null : whyNot(order, deps.now());
		const outcome = cancelled ? "cancelled" : reason === null ? "refunded" : "refused";
		if (outcome === "refunded") await requestRefund(deps, trx, order.id, { reason: "withdrawal" });
		const made = await insertWithdrawal(trx, { id: randomUUID(), orderId, declaredAt: deps.now(), outcome, reason });
		await queueOrderEmail(deps, trx, orderId, "withdrawal-receipt");
		return made;
	});
}

/** What took the right of withdrawal away: the same steps that end the right to cancel. */
const served = ({ product_code }: Order) => (isPosted(product_code) ? "votre courrier est posté" : "votre extrait est prêt");

/** @returns why an order that is delivered, or over, cannot be withdrawn from; null when it can. */
function whyNot(order: Order, now: Date): string | null {
	if (order.status === "failed")
		return order.paid_at === null
			? "Cette commande n’a pas été payée : elle est déjà close, et rien ne vous est dû."
			: "Cette commande est déjà annulée et remboursée.";
	// the rule; net: requestRefund gives back no more than was captured
	if (order.refunded_cents >= order.price_cents) return "Cette commande vous a déjà été remboursée en totalité.";
	if (order.withdrawal_waived_at !== null)
		return `Vous aviez demandé l’exécution immédiate et reconnu perdre votre droit de rétractation une fois le document livré\u00a0; or ${served(order)} (article L221-28, 1° du code de la consommation).`;
	const begun = (isPosted(order.product_code) && order.completed_at) || order.paid_at || order.created_at;
	if (now >= withdrawalEndsAt(order.product_code, begun))
		return "Le délai de rétractation de quatorze jours est écoulé (article L221-18 du code de la consommation).";
	return null;
}
