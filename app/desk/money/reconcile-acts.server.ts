import { recreatePurchase } from "../../orders/copies/recreate-order.server.ts";
import { recreatedLabels, recreateRefusals } from "../../orders/copies/recreate-sentences.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { reconcile } from "../../payments/reconcile.server.ts";
import { syncPurchase } from "../../payments/sync-purchase.server.ts";
import { coded, defineAct, refuse } from "../acts/act.ts";
import { id } from "../acts/fields.ts";

const providerUnavailable = "Le prestataire de paiement ne répond pas. Réessayez plus tard.";

const lost = id("Cette différence ne nomme aucune commande.");

/** Acts on what the comparison with the provider's books found. */
export const reconcileActs = [
	defineAct({
		name: "reconcile",
		role: "refund",
		label: "Comparer avec le prestataire",
		fields: {},
		async run({ shop }) {
			const compared = await reconcile(shop);
			if (!compared.ok) return refuse(providerUnavailable);
			const { differences } = compared;
			const found = differences.length === 0 ? "Aucune différence." : `Différences\u00a0: ${differences.length}.`;
			return {
				ok: true,
				text: `Paiements comparés\u00a0: ${compared.compared}. ${found}`,
				after: { compared: compared.compared, differences: differences.length },
			};
		},
		changes: { compared: "Paiements comparés", differences: "Différences" },
	}),
	defineAct({
		name: "recreate-order",
		role: "refund",
		label: "Recréer une commande d’après sa copie",
		fields: { lost },
		async run({ shop }, { lost: orderId }) {
			const { asked: recreated, others } = await recreatePurchase(shop, orderId);
			if (!recreated.ok) return refuse(recreateRefusals[recreated.code]);
			const synced = await syncPurchase(shop, recreated.purchaseId);
			const problems = others.flatMap(({ result }) =>
				result.ok ? [] : [` ${result.orderNumber ?? "Une commande de la même commande groupée"}\u00a0: ${recreateRefusals[result.code]}`],
			);
			const asked = synced.ok ? "" : " Le prestataire de paiement ne répond pas\u00a0: adoptez ses réponses plus tard.";
			return {
				ok: true,
				text: `${recreated.orderNumber}\u00a0: ${recreatedLabels[recreated.what]}.${problems.join("")}${asked}`,
				after: { order: recreated.orderNumber, what: recreated.what },
			};
		},
		changes: { order: "Commande", what: coded("Recréé", recreatedLabels) },
	}),
	defineAct({
		name: "adopt-payment",
		role: "refund",
		label: "Adopter les réponses du prestataire",
		fields: { lost },
		async run({ shop }, { lost: orderId }) {
			const order = await findOrder(shop.db, orderId);
			if (order === null) return refuse("Cette commande n’est pas ici\u00a0: recréez-la d’abord.");
			const synced = await syncPurchase(shop, order.purchase_id);
			if (!synced.ok) return refuse(providerUnavailable);
			const { order_number: number } = order;
			return {
				ok: true,
				text: `${number}\u00a0: elle suit maintenant les réponses du prestataire. Comparez de nouveau.`,
				after: { order: number, payments: synced.payments },
			};
		},
		changes: { order: "Commande", payments: "Paiements" },
	}),
];
