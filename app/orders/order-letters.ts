import { formatInstant } from "../catalogue/instants.ts";
import { formatEuros } from "../catalogue/money.ts";
import { services } from "../catalogue/services.ts";
import type { Letter } from "../mail/letter.ts";
import type { Order } from "./order.ts";

export type OrderMailKind = "confirmation" | "document-ready" | "posted";

interface Links {
	baseUrl: string;
	documentUrl: string | null;
}

/** What each mail of an order says. */
export function writeOrderLetter(kind: OrderMailKind, order: Order, links: Links): Letter {
	return letters[kind](order, links);
}

const tracking = (order: Order, { baseUrl }: Links) => ({ link: "Suivre votre commande", url: `${baseUrl}/suivi/${order.order_number}` });

const letters: Record<OrderMailKind, (order: Order, links: Links) => Letter> = {
	confirmation: (order, links) => {
		const service = services[order.product_code];
		return {
			subject: `Commande ${order.order_number} confirmée`,
			blocks: [
				`Bonjour ${order.first_name} ${order.last_name},`,
				"Votre paiement est enregistré et votre commande est confirmée.",
				{ label: "Numéro de commande", value: order.order_number },
				{ label: "Entreprise", value: `${order.company_name} (SIREN ${order.siren})` },
				{ label: "Service", value: service.name },
				{ label: "Total payé", value: `${formatEuros(order.price_cents)} TTC, TVA 20 % incluse` },
				...(order.promised_at
					? [
							{
								label: service.deliveryMethod === "postal" ? "Posté au plus tard" : "Livré au plus tard",
								value: formatInstant(order.promised_at),
							},
						]
					: []),
				"Aucun abonnement : il s’agit d’un achat unique, et votre carte n’est pas conservée.",
				...consentParagraphs(order),
				tracking(order, links),
				"Pour suivre votre commande, gardez son numéro : avec votre adresse e-mail, il suffit à la retrouver.",
			],
		};
	},
	"document-ready": (order, links) => ({
		subject: `Votre document est prêt — commande ${order.order_number}`,
		blocks: [
			`Bonjour ${order.first_name} ${order.last_name},`,
			`Le document commandé pour ${order.company_name} (SIREN ${order.siren}) est prêt.`,
			...(links.documentUrl ? [{ link: "Télécharger le document (PDF)", url: links.documentUrl }] : []),
			"Ce lien est valable 24 heures. Ensuite, la page de suivi vous en donne un nouveau.",
			tracking(order, links),
		],
	}),
	posted: (order, links) => ({
		subject: `Votre courrier est parti — commande ${order.order_number}`,
		blocks: [
			`Bonjour ${order.first_name} ${order.last_name},`,
			`Le document commandé pour ${order.company_name} (SIREN ${order.siren}) est posté.`,
			{ label: "Numéro de suivi", value: order.tracking_number ?? "" },
			{ label: "Destination", value: `${order.address}, ${order.postal_code} ${order.city}` },
			tracking(order, links),
		],
	}),
};

/** What was agreed to, repeated on a durable medium (C. conso. L221-13). */
function consentParagraphs(order: Order): string[] {
	const version = `version ${order.consent_text_version}`;
	return [
		...(order.terms_accepted_at
			? [`Vous avez accepté les conditions générales de vente (${version}) le ${formatInstant(order.terms_accepted_at)}.`]
			: []),
		order.withdrawal_waived_at
			? `Vous avez demandé l’exécution immédiate le ${formatInstant(order.withdrawal_waived_at)} et reconnu perdre votre droit de rétractation une fois le document livré (${version}).`
			: "Vous gardez votre droit de rétractation de quatorze jours.",
	];
}
