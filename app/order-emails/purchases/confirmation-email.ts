import { cancellableWhile } from "../../catalogue/cancellation.ts";
import { formatInstant } from "../../catalogue/instants.ts";
import { formatEuros, splitVat } from "../../catalogue/money.ts";
import { replyTime } from "../../catalogue/reply-time.ts";
import { isPosted, services } from "../../catalogue/services.ts";
import type { EmailBlock, EmailContent } from "../../mail/email.ts";
import { formatLetterAddress } from "../../orders/letter-address.ts";
import { formatExtractCount, type Order, sumPrices } from "../../orders/order.ts";
import { findRecipient } from "../../orders/recipient.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { greetCustomer, mentionSpace, type OrderEmailContext, type PurchaseOfEmail, when } from "../email-parts.ts";
import { explainWithdrawalRight, formatInvoicedCustomer, listConsents, presentTerms } from "./contract-parts.ts";
import { groupByService, listLines, nameLine } from "./purchase-parts.ts";

/** Confirms the contract of a purchase of several orders, as `confirmation` does for one. @param first the first order. */
export function purchaseConfirmation(first: Order, context: OrderEmailContext, { orders, url }: PurchaseOfEmail): EmailContent {
	const total = sumPrices(orders);
	const { ht, vat } = splitVat(total);
	const groups = groupByService(orders);
	return {
		subject: `Commande groupée ${first.order_number} confirmée`,
		preheader: `${formatExtractCount(orders.length)}, ${formatEuros(total)} TTC. Votre facture est jointe.`,
		title: "Commande confirmée",
		blocks: [
			greetCustomer(first),
			`Votre paiement est enregistré et votre commande de ${formatExtractCount(orders.length)} est confirmée.`,
			{
				descriptionList: [
					["Numéro de commande groupée", first.order_number],
					...groups.map(({ service, ofService }) => [service.name, describePromise(ofService)] as const),
					...listDeliveries(orders),
					["Total payé", `${formatEuros(total)} TTC (${formatEuros(ht)} HT et ${formatEuros(vat)} de TVA à 20 %)`],
					...(context.invoiceCorrected || !first.paid_at ? [] : ([["Facturé à", formatInvoicedCustomer(first)]] as const)),
					...(first.paid_at ? ([["Payé le", formatInstant(first.paid_at)]] as const) : []),
				],
			},
			...when(
				context.promiseMoved,
				"Nos jours ou nos heures d’ouverture ont changé entre votre commande et votre paiement : les heures ci-dessus nous engagent, et remplacent celles que la page de paiement affichait.",
			),
			...(context.request ? [context.request] : []),
			// the guarantees beside the pay button are part of the contract
			...groups.map(({ service }) => (groups.length === 1 ? service.highlight : `${service.name}. ${service.highlight}`)),
			...(url ? [{ action: "Suivre votre commande", url }] : []),
			"Cette page montre où en est chaque extrait, et vous permet de tous les télécharger. Nous vous écrivons quand tous les extraits d’un même service sont prêts, et dès le premier retard ou échec.",
			"Conservez votre numéro de commande : avec votre e-mail, il permet de retrouver votre commande.",
			...mentionSpace(context),
			{ heading: "Les extraits de votre commande" },
			...listLines(orders, (order) => `${nameLine(order)}, ${services[order.product_code].name}`),
			{ heading: "Le contrat" },
			context.invoiceCorrected
				? "Votre facture corrigée est jointe à ce message, avec l’avoir qui annule la précédente."
				: "Votre facture est jointe à ce message. Elle a une ligne par extrait.",
			"Aucun abonnement : il s’agit d’un achat unique, et vos données bancaires ne sont pas conservées.",
			...listConsents(first),
			...presentTerms(first, context),
			{ heading: "Annulation et rétractation" },
			...explainCancellation(orders),
			{ link: "Se rétracter en ligne", url: absoluteUrl(context.baseUrl, "/retractation") },
			{ heading: "Réclamation" },
			`Écrivez-nous à ${context.shop.email} : nous répondons sous ${replyTime}. Si notre réponse ne vous satisfait pas et que vous êtes un consommateur, vous pouvez saisir gratuitement le médiateur : ${context.shop.mediator}.`,
		],
	};
}

/** « 38 extraits, livrés au plus tard lundi 23 novembre 2026 à 12 h » */
function describePromise([first, ...others]: readonly Order[]): string {
	const count = formatExtractCount(others.length + 1);
	if (!first?.promised_at) return count;
	const verb = `${isPosted(first.product_code) ? "posté" : "livré"}${others.length > 0 ? "s" : ""}`;
	return `${count}, ${verb} au plus tard ${formatInstant(first.promised_at)}`;
}

function listDeliveries(orders: readonly Order[]): (readonly [string, string])[] {
	const byEmail = orders.find(({ product_code }) => !isPosted(product_code));
	const [letter, ...letters] = orders.filter(({ product_code }) => isPosted(product_code));
	const recipient = byEmail && findRecipient(byEmail);
	return [
		...(byEmail
			? ([
					[
						"Livraison des PDF",
						`sur la page de suivi, annoncée par e-mail à ${byEmail.customer_email}${recipient ? ` et à ${recipient}` : ""}`,
					],
				] as const)
			: []),
		...(letter
			? ([
					[
						letters.length > 0 ? "Courriers" : "Courrier",
						`${letters.length > 0 ? "envoyés" : "envoyé"} en suivi à ${formatLetterAddress(letter)}`,
					],
				] as const)
			: []),
	];
}

/** The rights are those of each line; they differ between a PDF and a letter. */
function explainCancellation(orders: readonly Order[]): EmailBlock[] {
	const examples = [false, true].flatMap((posted) => orders.find(({ product_code }) => isPosted(product_code) === posted) ?? []);
	const [example] = examples;
	const period = examples.length > 1 || !example ? "any" : services[example.product_code].deliveryMethod;
	return [
		`Vous pouvez annuler la commande de chaque extrait séparément ${cancellableWhile[period]}, depuis sa page de suivi : le prix de cet extrait vous est remboursé immédiatement.`,
		...new Set(examples.flatMap((order) => explainWithdrawalRight(order, examples.length > 1))),
	];
}
