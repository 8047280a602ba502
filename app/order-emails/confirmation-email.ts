import { cancellableWhile } from "../catalogue/cancellation.ts";
import { formatInstant } from "../catalogue/instants.ts";
import { formatEuros, splitVat } from "../catalogue/money.ts";
import { replyTime } from "../catalogue/reply-time.ts";
import { isPosted, services } from "../catalogue/services.ts";
import { formatLetterAddress } from "../orders/letter-address.ts";
import { type Order, sumPrices } from "../orders/order.ts";
import { findRecipient } from "../orders/recipient.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { greetCustomer, identifyOrder, mentionSpace, type OrderEmailTemplate, when } from "./email-parts.ts";
import { purchaseConfirmation } from "./purchases/confirmation-email.ts";
import { explainWithdrawalRight, formatInvoicedCustomer, listConsents, presentTerms } from "./purchases/contract-parts.ts";
import { countServices } from "./purchases/purchase-parts.ts";

/** Confirms the contract on a durable medium, before the delivery (C. conso. L221-13). */
export const confirmation: OrderEmailTemplate = (order, context) => {
	if (context.purchase) return purchaseConfirmation(order, context, context.purchase);
	const service = services[order.product_code];
	const { ht, vat } = splitVat(order.price_cents);
	const promised = order.promised_at && formatInstant(order.promised_at);
	const deadlineLabel = isPosted(order.product_code) ? "Posté au plus tard" : "Livré au plus tard";
	return {
		subject: `Commande ${order.order_number} confirmée`,
		preheader: promised
			? `${service.name} pour ${order.company_name}. ${deadlineLabel} : ${promised}.`
			: `${service.name} pour ${order.company_name}.`,
		title: "Commande confirmée",
		blocks: [
			greetCustomer(order),
			"Votre paiement est enregistré et votre commande est confirmée.",
			{
				descriptionList: [
					...identifyOrder(order),
					["Service", `${service.name}. ${service.description}`],
					["Livraison", formatDelivery(order)],
					...(promised ? ([[deadlineLabel, promised]] as const) : []),
					["Total payé", `${formatEuros(order.price_cents)} TTC (${formatEuros(ht)} HT et ${formatEuros(vat)} de TVA à 20 %)`],
					...(context.invoiceCorrected || !order.paid_at ? [] : ([["Facturé à", formatInvoicedCustomer(order)]] as const)),
					...(order.paid_at ? ([["Payé le", formatInstant(order.paid_at)]] as const) : []),
				],
			},
			...when(
				context.promiseMoved,
				"Nos jours ou nos heures d’ouverture ont changé entre votre commande et votre paiement : l’heure ci-dessus nous engage, et remplace celle que la page de paiement affichait.",
			),
			...(context.request ? [context.request] : []),
			// the guarantee beside the pay button is part of the contract
			service.highlight,
			{ action: "Suivre votre commande", url: context.trackingUrl },
			"Conservez votre numéro de commande : avec votre e-mail, il permet de retrouver votre commande.",
			...mentionSpace(context),
			context.invoiceCorrected
				? "Votre facture corrigée est jointe à ce message, avec l’avoir qui annule la précédente."
				: "Votre facture est jointe à ce message.",
			"Aucun abonnement : il s’agit d’un achat unique, et vos données bancaires ne sont pas conservées.",
			...listConsents(order),
			...presentTerms(order, context),
			{ heading: "Annulation et rétractation" },
			`Vous pouvez annuler ${cancellableWhile[service.deliveryMethod]}, depuis la page de suivi : vous serez remboursé immédiatement de la totalité.`,
			...explainWithdrawalRight(order),
			{ link: "Se rétracter en ligne", url: absoluteUrl(context.baseUrl, "/retractation") },
			{ heading: "Réclamation" },
			`Écrivez-nous à ${context.shop.email} : nous répondons sous ${replyTime}. Si notre réponse ne vous satisfait pas et que vous êtes un consommateur, vous pouvez saisir gratuitement le médiateur : ${context.shop.mediator}.`,
		],
	};
};

/** The reminder of an unfinished payment. */
export const resume: OrderEmailTemplate = (order, { purchase, resumeUrl }) => ({
	subject: `Votre ${purchase ? "commande groupée" : "commande"} ${order.order_number} n’est pas payée`,
	preheader: "Rien n’a été prélevé. Vous pouvez reprendre le paiement.",
	title: "Votre paiement n’est pas terminé",
	blocks: [
		greetCustomer(order),
		"Votre commande est enregistrée, mais vous n’avez pas terminé le paiement. Rien n’a été prélevé.",
		{
			descriptionList: [
				...(purchase
					? ([["Numéro de commande groupée", order.order_number], ...countServices(purchase.orders)] as const)
					: ([...identifyOrder(order), ["Service", services[order.product_code].name]] as const)),
				["Total", `${formatEuros(sumPrices(purchase?.orders ?? [order]))} TTC`],
			],
		},
		...(resumeUrl ? [{ action: "Reprendre le paiement", url: resumeUrl }] : []),
		"Vous ne voulez plus de cette commande ? Vous n’avez rien à faire et vous ne devez rien. Nous ne vous relancerons pas.",
	],
});

function formatDelivery(order: Order): string {
	const { deliveryMethod, delivery } = services[order.product_code];
	const method = delivery.replace(/^P/, "p");
	const recipient = findRecipient(order);
	if (deliveryMethod === "email") return `${method}, à ${order.customer_email}${recipient ? ` et à ${recipient}` : ""}`;
	return `${method}, à ${formatLetterAddress(order)}`;
}
