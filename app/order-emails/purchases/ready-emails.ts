import { guaranteePeriod } from "../../catalogue/guarantee.ts";
import { recipientFilesDays } from "../../catalogue/link-lifetimes.ts";
import { formatPeriod } from "../../catalogue/retention.ts";
import { services } from "../../catalogue/services.ts";
import type { EmailBlock } from "../../mail/email.ts";
import { isDeliveredElsewhere } from "../../orders/letter-address.ts";
import { formatExtractCount, type Order } from "../../orders/order.ts";
import { findRecipient, listOrdersToSameRecipient } from "../../orders/recipient.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { explainFailure, keepFile, linkLifetime, nameSender } from "../delivery-emails.ts";
import { greetCustomer, informRecipient, type OrderEmailContext, type OrderEmailTemplate, when } from "../email-parts.ts";
import { getPurchase, linkPurchase, listLines, nameLine } from "./purchase-parts.ts";

/** The orders of the e-mail's service: those that have their extract, those that failed, and those that were late. */
function sortService(order: Order, context: OrderEmailContext) {
	const ofService = getPurchase(order, context).orders.filter(({ product_code }) => product_code === order.product_code);
	return {
		ready: ofService.filter(({ status }) => status === "completed"),
		// the customer has a receipt of each cancellation
		failed: ofService.filter(({ status, failure_reason }) => status === "failed" && failure_reason !== "cancelled"),
		late: ofService.filter(({ status, late_at }) => status === "completed" && late_at !== null),
	};
}

/** All orders of one service have ended: by e-mail, or by post without any letter. The order is the first of that service. */
export const purchaseReady: OrderEmailTemplate = (order, context) => {
	const purchase = getPurchase(order, context);
	const { ready, failed, late } = sortService(order, context);
	const { name } = services[order.product_code];
	const recipient = findRecipient(order);
	const title =
		ready.length === 0
			? `Aucun extrait ${name} n’a pu être obtenu`
			: ready.length === 1
				? "Votre extrait est prêt"
				: `Vos ${ready.length} extraits sont prêts`;
	return {
		subject: `${title} — commande groupée ${purchase.number}`,
		preheader:
			ready.length > 0
				? `${name}. ${ready.length > 1 ? "Téléchargez-les en une fois." : "Téléchargez-le."}`
				: `${name}. Le prix vous est remboursé.`,
		title,
		blocks: [
			greetCustomer(order),
			ready.length > 0
				? `${ready.length === 1 ? `L’extrait ${name}` : `Les ${formatExtractCount(ready.length)} ${name}`} de votre commande groupée ${purchase.number} ${ready.length === 1 ? "est prêt" : "sont prêts"}.`
				: `Aucun extrait ${name} de votre commande groupée ${purchase.number} n’a pu être obtenu.`,
			...when(recipient && ready.length > 0, `Nous écrivons aussi à ${recipient}, avec un message qui indique votre nom.`),
			...(purchase.filesUrl && ready.length > 0
				? [
						{ action: ready.length === 1 ? "Télécharger l’extrait" : "Télécharger les extraits", url: purchase.filesUrl },
						`Vous recevez un fichier ZIP, avec un tableau « manifeste.csv » qui donne le SIREN, votre référence et l’empreinte de chaque fichier. Ce lien est valable ${linkLifetime}. Ensuite, la page de suivi vous en donne un nouveau.`,
					]
				: []),
			...linkPurchase(purchase),
			...explainFailures(failed),
			...explainDelays(order, late.length),
			...when(
				ready.length > 0,
				{ heading: "À savoir" },
				keepFile,
				`Un extrait erroné ou inutilisable ? Signalez-le depuis sa page de suivi dans les ${guaranteePeriod} qui suivent la livraison : après vérification, nous vous le remboursons.`,
			),
		],
	};
};

const explainFailures = (failed: readonly Order[]): EmailBlock[] =>
	when(
		failed.length > 0,
		{ heading: failed.length === 1 ? "Un extrait n’a pas pu être obtenu" : `${failed.length} extraits n’ont pas pu être obtenus` },
		...listLines(failed, (order) => `${nameLine(order)}. ${explainFailure(order)}`),
		failed.length === 1
			? "Il vous est remboursé en totalité. Un autre e-mail vous le confirme, avec l’avoir."
			: "Ils vous sont remboursés en totalité. Un autre e-mail vous le confirme pour chacun, avec l’avoir.",
	);

const explainDelays = ({ product_code }: Order, count: number): EmailBlock[] =>
	when(
		count > 0 && services[product_code].refundedWhenLate,
		`${formatExtractCount(count)} de ce service ${count === 1 ? "a été livré" : "ont été livrés"} après l’heure promise. Nous vous présentons nos excuses. Conformément à notre engagement, ${count === 1 ? "il vous est remboursé" : "ils vous sont remboursés"} en totalité.`,
	);

/**
 * To the second recipient, who did not order: nothing about money, and nothing that opens the orders. The order is the first that goes
 * there.
 */
export const purchaseReadyForRecipient: OrderEmailTemplate = (order, context) => {
	const { filesUrl, orders } = getPurchase(order, context);
	const toSame = listOrdersToSameRecipient(order, sortService(order, context).ready);
	const isOne = toSame.length <= 1;
	const title = isOne ? "Un extrait vous est adressé" : `${toSame.length} extraits vous sont adressés`;
	const named = toSame.slice(0, 20).map(({ company_name, siren }) => `${company_name} (SIREN ${siren})`);
	const others = toSame.length - named.length;
	return {
		subject: `${order.first_name} ${order.last_name} vous envoie ${isOne ? "un extrait" : formatExtractCount(toSame.length)} du registre du commerce`,
		preheader: `Téléchargez-${isOne ? "le" : "les"} dans les ${formatPeriod({ days: recipientFilesDays })}.`,
		title,
		blocks: [
			"Bonjour,",
			`${nameSender(order, orders)} vous envoie ${isOne ? "l’extrait de cette entreprise, commandé" : "les extraits de ces entreprises, commandés"} sur ${context.shop.name}.`,
			{ list: [...named, ...(others > 0 ? [`et ${others === 1 ? "une autre" : `${others} autres`}`] : [])], numbered: false },
			...(filesUrl
				? [
						{ action: isOne ? "Télécharger l’extrait" : "Télécharger les extraits", url: filesUrl },
						`Ce lien est valable ${formatPeriod({ days: recipientFilesDays })}. Enregistrez ${isOne ? "le fichier" : "les fichiers"} sur votre appareil avant la fin de ce délai.`,
						`Vous pouvez vérifier ${isOne ? "que le fichier n’a pas" : "qu’aucun fichier n’a"} été modifié depuis sa livraison, sur notre page « Vérifier un extrait ».`,
						{ link: "Vérifier un extrait", url: absoluteUrl(context.baseUrl, "/verifier") },
					]
				: []),
			`Une question sur cet envoi ? Adressez-vous à ${order.first_name} ${order.last_name}.`,
			...informRecipient(order, context),
		],
	};
};

/** All letters of a purchase are posted. The order is the first of them. */
export const purchasePosted: OrderEmailTemplate = (order, context) => {
	const purchase = getPurchase(order, context);
	const { ready, failed } = sortService(order, context);
	const title = ready.length > 1 ? `Vos ${ready.length} courriers sont partis` : "Votre courrier est parti";
	return {
		subject: `${title} — commande groupée ${purchase.number}`,
		preheader: "Comptez un à trois jours ouvrés.",
		title,
		blocks: [
			greetCustomer(order),
			`${ready.length > 1 ? `Les ${formatExtractCount(ready.length)} sur papier de votre commande groupée ${purchase.number} sont postés` : `L’extrait sur papier de votre commande groupée ${purchase.number} est posté`}. ${describeArrival(order, ready.length)} d’ici un à trois jours ouvrés.`,
			...listLines(ready, (letter) => `${nameLine(letter)}. Numéro de suivi : ${letter.tracking_number ?? "sur la page de suivi"}`, 200),
			...linkPurchase(purchase),
			...explainFailures(failed),
		],
	};
};

function describeArrival(order: Order, count: number): string {
	if (isDeliveredElsewhere(order)) return count > 1 ? "Ils arriveront à destination" : "Il arrivera à destination";
	return count > 1 ? "Vous les recevrez" : "Vous le recevrez";
}
