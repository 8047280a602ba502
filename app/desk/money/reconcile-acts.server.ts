import { isUuid } from "../../../server/uuid.ts";
import { type RecreateResult, recreatePurchase } from "../../order-copies/recreate-order.server.ts";
import { findOrder } from "../../orders/orders.server.ts";
import { reconcile } from "../../payments/reconcile.server.ts";
import { syncPurchase } from "../../payments/sync-purchase.server.ts";
import { type ActRefusal, defineAct } from "../acts/act.ts";

const refuse = (text: string): ActRefusal => ({ ok: false, text });

const providerUnavailable = "Le prestataire de paiement ne répond pas. Réessayez plus tard.";

const readOrder = ({ lost = "" }: Readonly<Record<string, string>>) =>
	isUuid(lost) ? { ok: true as const, input: { orderId: lost } } : refuse("Cette différence ne nomme aucune commande.");

/** Acts on what the comparison with the provider's books found. */
export const reconcileActs = {
	reconcile: defineAct({
		role: "refund",
		label: "Comparer avec le prestataire",
		parse: () => ({ ok: true, input: null }),
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
	}),
	"recreate-order": defineAct({
		role: "refund",
		label: "Recréer une commande d’après sa copie",
		parse: readOrder,
		async run({ shop }, { orderId }) {
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
	}),
	"adopt-payment": defineAct({
		role: "refund",
		label: "Adopter les réponses du prestataire",
		parse: readOrder,
		async run({ shop }, { orderId }) {
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
	}),
};

const recreatedLabels: Record<Extract<RecreateResult, { ok: true }>["what"], string> = {
	made: "recréée",
	"brought-forward": "remise à jour d’après sa copie",
	here: "rien à faire, elle a tout ce que sa copie contient",
};

const recreateRefusals: Record<Extract<RecreateResult, { ok: false }>["code"], string> = {
	"no-copy": "Il n’y a pas de copie de cette commande.",
	unreadable: "La copie de cette commande ne se lit pas\u00a0: il manque la clé qui l’a chiffrée, ou elle est abîmée.",
	"went-on": "Cette commande a continué ici, et sa copie dit autre chose. Comparez les deux au terminal (recreate) avant de choisir.",
	erased: "Le client de cette commande a été effacé depuis.",
	numbers: "Une autre commande a déjà ses numéros de facture.",
	conflict: "Une autre commande a déjà le même fichier ou le même paiement.",
	"first-missing":
		"La première commande de la commande groupée manque, ou il lui manque le paiement ou la facture auxquels celle-ci renvoie.",
};
