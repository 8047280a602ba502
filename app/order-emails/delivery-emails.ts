import { cancellableWhile } from "../catalogue/cancellation.ts";
import { guaranteePeriod } from "../catalogue/guarantee.ts";
import { formatInstant } from "../catalogue/instants.ts";
import { documentLinkHours, maxAttachedSize } from "../catalogue/link-lifetimes.ts";
import { formatPeriod, retention } from "../catalogue/retention.ts";
import { isPosted, services } from "../catalogue/services.ts";
import type { EmailBlock } from "../mail/email.ts";
import { formatLetterAddress, isDeliveredElsewhere } from "../orders/letter-address.ts";
import type { NotFoundReason } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";
import { findRecipient } from "../orders/recipient.ts";
import { bankDays } from "../refunds/refund-reason-labels.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import {
	explainRefund,
	greetCustomer,
	identifyOrder,
	informRecipient,
	linkTracking,
	nameExtract,
	type OrderEmailContext,
	type OrderEmailTemplate,
	when,
} from "./email-parts.ts";

export const linkLifetime = formatPeriod({ hours: documentLinkHours });

const customerLinkNote = `Ce lien est valable ${linkLifetime}. Ensuite, la page de suivi vous en donne un nouveau.`;

const recipientLinkNote = `Ce lien est valable ${linkLifetime}. Enregistrez le fichier sur votre appareil avant la fin de ce délai.`;

export const keepFile = `Enregistrez le fichier sur votre appareil : vous pouvez le télécharger depuis la page de suivi pendant ${formatPeriod(retention.deliveredExtracts)}, puis nous le supprimons.`;

/** « l’extrait Kbis de DANONE (SIREN 552032534) » */
const nameDocument = (order: Order, context: OrderEmailContext) =>
	`l’${nameExtract(context)} de ${order.company_name} (SIREN ${order.siren})`;

/** Says where the file is: attached, or behind the link. */
function describeFile({ extractFile }: OrderEmailContext): EmailBlock[] {
	if (extractFile === "attached") return ["Il est joint à ce message, au format PDF."];
	if (extractFile === "too-large")
		return [`Le fichier dépasse ${maxAttachedSize} : il n’est pas joint à ce message. Téléchargez-le par le lien ci-dessous.`];
	return [];
}

const linkDocument = ({ documentUrl }: OrderEmailContext, action = "Télécharger l’extrait (PDF)"): EmailBlock[] =>
	documentUrl ? [{ action, url: documentUrl }] : [];

const linkVerification = ({ baseUrl, documentId }: OrderEmailContext): EmailBlock => ({
	link: "Vérifier l’extrait",
	url: absoluteUrl(baseUrl, "/verifier/:document", { document: documentId ?? "" }),
});

/** To the customer, with the PDF. A second recipient has a separate e-mail. */
export const documentReady: OrderEmailTemplate = (order, context) => {
	const recipient = findRecipient(order);
	return {
		subject: `Votre ${nameExtract(context)} de ${order.company_name} — commande ${order.order_number}`,
		preheader: context.extractFile === "attached" ? "Il est joint à ce message." : `Téléchargez-le dans les ${linkLifetime}.`,
		title: `Votre ${nameExtract(context)} est prêt`,
		blocks: [
			greetCustomer(order),
			`Voici ${nameDocument(order, context)}.`,
			...describeFile(context),
			...when(recipient, `Nous l’envoyons aussi à ${recipient}, avec un message qui indique votre nom.`),
			...linkDocument(context),
			...when(context.documentUrl, customerLinkNote),
			linkTracking(context),
			keepFile,
			...when(
				context.documentId,
				{ heading: "Si vous le transmettez" },
				"Envoyez le fichier plutôt que ce message, qui contient le lien de suivi de votre commande. Votre destinataire peut vérifier que le fichier n’a pas été modifié.",
				linkVerification(context),
			),
			`Un extrait erroné ou inutilisable ? Signalez-le depuis la page de suivi dans les ${guaranteePeriod} qui suivent la livraison : après vérification, nous vous remboursons.`,
		],
	};
};

/**
 * « Claire Durand (Cabinet Exemple) »: who sends extracts to their recipient. A company that is ordered is not named as the sender's: it
 * was chosen, not typed (docs/rules.md, R198).
 * @param ordered all orders of the purchase.
 */
export function nameSender({ first_name, last_name, billing_company, billing_siren }: Order, ordered: readonly Order[]): string {
	const isOrdered = ordered.some(({ siren, company_name }) => siren === billing_siren || company_name === billing_company);
	return `${first_name} ${last_name}${billing_company && !isOrdered ? ` (${billing_company})` : ""}`;
}

/** To the second recipient, who did not order: nothing about money, and nothing that opens the order. */
export const documentForRecipient: OrderEmailTemplate = (order, context) => ({
	subject: `${order.first_name} ${order.last_name} vous envoie l’${nameExtract(context)} de ${order.company_name}`,
	preheader: context.extractFile === "attached" ? "Il est joint à ce message." : `Téléchargez-le dans les ${linkLifetime}.`,
	title: `Un ${nameExtract(context)} vous est adressé`,
	blocks: [
		"Bonjour,",
		`${nameSender(order, [order])} vous envoie ${nameDocument(order, context)}, commandé sur ${context.shop.name}.`,
		...describeFile(context),
		...linkDocument(context),
		...when(context.documentUrl, recipientLinkNote),
		...when(
			context.documentId,
			{ heading: "Vérifier cet extrait" },
			"Vous pouvez vérifier que le fichier n’a pas été modifié depuis sa livraison. Il reste sur votre appareil pendant la vérification.",
			linkVerification(context),
		),
		`Une question sur cet envoi ? Adressez-vous à ${order.first_name} ${order.last_name}.`,
		...informRecipient(order, context),
	],
});

const postDetails = (order: Order) => [
	...(order.tracking_number ? ([["Numéro de suivi", order.tracking_number]] as const) : []),
	["Destination", formatLetterAddress(order)] as const,
];

export const posted: OrderEmailTemplate = (order, context) => ({
	subject: `Votre courrier est parti — commande ${order.order_number}`,
	preheader: `Numéro de suivi : ${order.tracking_number ?? "sur la page de suivi"}. Comptez un à trois jours ouvrés.`,
	title: "Votre courrier est parti",
	blocks: [
		greetCustomer(order),
		`L’${nameExtract(context)} de ${order.company_name} (SIREN ${order.siren}) est posté. ${isDeliveredElsewhere(order) ? "Il arrivera à destination" : "Vous le recevrez"} d’ici un à trois jours ouvrés.`,
		{ descriptionList: postDetails(order) },
		linkTracking(context),
	],
});

/** Says how the new extract is delivered: as a file, or by post again. */
export const extractReplaced: OrderEmailTemplate = (order, context) => {
	const postal = isPosted(order.product_code);
	return {
		subject: `Votre extrait a été remplacé — commande ${order.order_number}`,
		preheader: postal
			? `Un nouveau courrier est parti. Numéro de suivi : ${order.tracking_number ?? "sur la page de suivi"}.`
			: "Voici le nouvel extrait. N’utilisez plus l’ancien.",
		title: "Votre extrait a été remplacé",
		blocks: [
			greetCustomer(order),
			`Nous avons remplacé ${nameDocument(order, context)}. Nous vous prions de nous excuser de ce contretemps. Ce remplacement est gratuit.`,
			"N’utilisez plus l’ancien extrait. Si vous l’avez transmis, envoyez le nouveau à la même personne.",
			...(postal
				? [
						"Le nouvel extrait est parti par courrier. Comptez un à trois jours ouvrés.",
						{ descriptionList: postDetails(order) },
						linkTracking(context),
					]
				: [
						...describeFile(context),
						...linkDocument(context, "Télécharger le nouvel extrait (PDF)"),
						...when(context.documentUrl, customerLinkNote),
						linkTracking(context),
						keepFile,
					]),
		],
	};
};

/** To the second recipient: as little as in documentForRecipient. */
export const extractReplacedForRecipient: OrderEmailTemplate = (order, context) => ({
	subject: `L’${nameExtract(context)} de ${order.company_name} que vous avez reçu est remplacé`,
	preheader: "Voici le nouvel extrait. N’utilisez plus l’ancien.",
	title: "L’extrait est remplacé",
	blocks: [
		"Bonjour,",
		`${nameSender(order, [order])} vous a envoyé ${nameDocument(order, context)}. Nous avons remplacé cet extrait : n’utilisez plus l’ancien.`,
		...describeFile(context),
		...linkDocument(context, "Télécharger le nouvel extrait (PDF)"),
		...when(context.documentUrl, recipientLinkNote),
		...when(context.documentId, linkVerification(context)),
		...informRecipient(order, context),
	],
});

export const trackingCorrected: OrderEmailTemplate = (order, context) => ({
	subject: `Le bon numéro de suivi de votre courrier — commande ${order.order_number}`,
	preheader: `Numéro de suivi : ${order.tracking_number ?? "sur la page de suivi"}. Il remplace le précédent.`,
	title: "Le numéro de suivi est corrigé",
	blocks: [
		greetCustomer(order),
		`Le numéro de suivi que nous vous avions donné pour le courrier de ${order.company_name} (SIREN ${order.siren}) contenait une erreur. Voici le bon.`,
		{ descriptionList: postDetails(order) },
		"Votre courrier est bien en route : seul le numéro était faux. Nous vous prions de nous excuser.",
		linkTracking(context),
	],
});

export const late: OrderEmailTemplate = (order, context) => {
	const { deliveryMethod, refundedWhenLate } = services[order.product_code];
	const refunded = refundedWhenLate && order.disputed_at === null;
	return {
		subject: `Votre commande ${order.order_number} est en retard`,
		preheader: refunded
			? "Nous vous la remboursons en entier, et vous recevrez quand même votre extrait."
			: "Nous nous en occupons. Voici vos choix.",
		title: "Nous sommes en retard",
		blocks: [
			greetCustomer(order),
			`Nous n’avons pas tenu le délai promis${order.promised_at ? ` (${formatInstant(order.promised_at)})` : ""}. Nous vous présentons nos excuses.`,
			{ descriptionList: [...identifyOrder(order), ["Service", services[order.product_code].name]] },
			...(refunded
				? [
						context.refundDueBy
							? `Conformément à notre engagement, votre commande vous est remboursée en entier, sans que vous ayez à le demander. Ce remboursement vous est dû et part au plus tard le ${formatInstant(context.refundDueBy)}. Un autre e-mail vous le confirmera, avec l’avoir.`
							: "Conformément à notre engagement, nous vous remboursons votre commande en entier, sans que vous ayez à le demander. Un autre e-mail vous le confirmera, avec l’avoir.",
						"Vous recevrez quand même votre extrait, dès que nous l’aurons.",
						bankDays,
					]
				: [
						`Notre équipe s’occupe de votre commande. Vous recevrez un e-mail dès que ${isPosted(order.product_code) ? "le courrier sera posté" : "l’extrait sera prêt"}.`,
						`Vous pouvez attendre, ou annuler ${cancellableWhile[deliveryMethod]}, depuis la page de suivi : vous serez remboursé immédiatement de la totalité.`,
					]),
			linkTracking(context),
		],
	};
};

/** The reason of a failure, for the customer. */
const failureLabels: Record<string, string> = {
	"not-found": "Le registre du commerce et des sociétés ne contient pas d’extrait pour cette entreprise.",
	"not-available": "Aucun extrait n’est délivré pour cette entreprise.",
};

export const explainFailure = (order: Order) =>
	failureLabels[order.failure_reason ?? ""] ?? "Nous n’avons pas pu obtenir l’extrait commandé.";

/** What the customer can do, by the reason that the operator gave. */
const notFoundAdvice: Record<NotFoundReason, (order: Order) => string[]> = {
	removed: ({ company_name, siren }) => [
		`${company_name} (SIREN ${siren}) est radiée du registre du commerce et des sociétés : le greffe ne délivre plus d’extrait Kbis à son nom.`,
		"L’attestation gratuite du registre national des entreprises (RNE), sur data.inpi.fr, indique la date de cette radiation.",
	],
	"wrong-siren": ({ siren }) => [
		`Le SIREN ${siren} n’est pas celui de l’entreprise dont vous demandez l’extrait, ou il n’est pas inscrit au registre du commerce et des sociétés.`,
		"Vérifiez ce numéro sur une facture ou un contrat de l’entreprise. Vous pouvez passer une nouvelle commande avec le bon numéro.",
	],
	"no-kbis": ({ company_name }) => [
		`${company_name} n’est pas inscrite au registre du commerce et des sociétés : les associations, les professions libérales et les organismes publics n’ont pas d’extrait Kbis.`,
		"L’avis de situation au répertoire Sirene atteste leur existence. Il est gratuit sur avis-situation-sirene.insee.fr.",
	],
	unknown: () => [
		"L’extrait du registre national des entreprises (RNE) est gratuit sur data.inpi.fr. Ce n’est pas un Kbis, mais il peut suffire à votre démarche.",
	],
};

export const failed: OrderEmailTemplate = (order, context) => ({
	subject: `Votre commande ${order.order_number} n’a pas abouti : elle vous est remboursée`,
	preheader: explainFailure(order),
	title: "Votre commande n’a pas abouti",
	blocks: [
		greetCustomer(order),
		explainFailure(order),
		{ descriptionList: identifyOrder(order) },
		...explainRefund(order),
		...notFoundAdvice[context.notFoundBecause ?? "unknown"](order),
		linkTracking(context),
	],
});
