import { cancellableWhile } from "../catalogue/cancellation.ts";
import { guaranteePeriod } from "../catalogue/guarantee.ts";
import { formatInstant } from "../catalogue/instants.ts";
import { documentLinkHours } from "../catalogue/link-lifetimes.ts";
import { formatPeriod, retention } from "../catalogue/retention.ts";
import { isPosted, services } from "../catalogue/services.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import type { Order } from "../orders/order.ts";
import { formatPostalAddress } from "../orders/postal-address.ts";
import { bankDays } from "../refunds/refund-reason-labels.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { explainRefund, greetCustomer, identifyOrder, linkTracking, type OrderEmailTemplate, when } from "./email-parts.ts";

const linkLifetime = formatPeriod({ hours: documentLinkHours });

const customerLinkNote = `Ce lien est valable ${linkLifetime}. Ensuite, la page de suivi vous en donne un nouveau.`;
const recipientLinkNote = `Ce lien est valable ${linkLifetime} : enregistrez le document. Ensuite, demandez-le à la personne qui l’a commandé : elle peut le télécharger pendant ${formatPeriod(retention.deliveredExtracts)}.`;

/** For the customer, or for the delivery address: only the customer can use the tracking page. */
export const documentReady: OrderEmailTemplate = (order, context) =>
	order.delivery_email !== null && normalizeEmail(order.delivery_email) !== normalizeEmail(order.customer_email)
		? documentForRecipient(order, context)
		: documentForCustomer(order, context);

const documentForCustomer: OrderEmailTemplate = (order, context) => ({
	subject: `Votre document est prêt — commande ${order.order_number}`,
	preheader: `Téléchargez-le dans les ${linkLifetime} ; ensuite, la page de suivi vous donne un nouveau lien.`,
	title: "Votre document est prêt",
	blocks: [
		greetCustomer(order),
		`Le document commandé pour ${order.company_name} (SIREN ${order.siren}) est prêt.`,
		...when(context.documentUrl, { action: "Télécharger le document (PDF)", url: context.documentUrl ?? "" }),
		customerLinkNote,
		linkTracking(order, context),
		`Nous gardons le document ${formatPeriod(retention.deliveredExtracts)} après la livraison : enregistrez-le.`,
		...when(
			context.documentId,
			{ heading: "Pour la personne qui reçoit ce document" },
			"Elle peut vérifier que le fichier est bien celui que nous avons remis, à l’octet près. La comparaison se fait dans son navigateur : le fichier ne nous est pas envoyé.",
			{ link: "Vérifier le document", url: absoluteUrl(context.baseUrl, "/verifier/:document", { document: context.documentId ?? "" }) },
		),
		`Un document erroné ou inutilisable ? Dites-le-nous dans les ${guaranteePeriod} depuis la page de suivi : après vérification, il vous est remboursé.`,
	],
});

/** Without price and name: the recipient did not order. */
const documentForRecipient: OrderEmailTemplate = (order, context) => ({
	subject: `Un document vous est destiné — commande ${order.order_number}`,
	preheader: `Téléchargez-le dans les ${linkLifetime}, et enregistrez-le.`,
	title: "Un document vous est destiné",
	blocks: [
		"Bonjour,",
		"La personne qui a commandé ce document nous a donné votre adresse pour vous l’envoyer.",
		{ descriptionList: identifyOrder(order) },
		...when(context.documentUrl, { action: "Télécharger le document (PDF)", url: context.documentUrl ?? "" }),
		recipientLinkNote,
		...when(
			context.documentId,
			"Vous pouvez vérifier que le fichier est bien celui que nous avons remis, à l’octet près. La comparaison se fait dans votre navigateur : le fichier ne nous est pas envoyé.",
			{ link: "Vérifier le document", url: absoluteUrl(context.baseUrl, "/verifier/:document", { document: context.documentId ?? "" }) },
		),
		`Un document erroné ou inutilisable ? Dites-le à la personne qui l’a commandé : elle a ${guaranteePeriod} pour nous le signaler.`,
	],
});

const postDetails = (order: Order) => [
	...(order.tracking_number ? ([["Numéro de suivi", order.tracking_number]] as const) : []),
	["Destination", formatPostalAddress(order)] as const,
];

export const posted: OrderEmailTemplate = (order, context) => ({
	subject: `Votre courrier est parti — commande ${order.order_number}`,
	preheader: `Numéro de suivi : ${order.tracking_number ?? "sur la page de suivi"}. Comptez un à trois jours ouvrés.`,
	title: "Votre courrier est parti",
	blocks: [
		greetCustomer(order),
		`Le document commandé pour ${order.company_name} (SIREN ${order.siren}) est posté. L’acheminement demande un à trois jours ouvrés.`,
		{ descriptionList: postDetails(order) },
		linkTracking(order, context),
	],
});

/** Says how the new extract is delivered: by a link, or by post again. */
export const extractReplaced: OrderEmailTemplate = (order, context) => {
	const postal = isPosted(order.product_code);
	return {
		subject: `Votre extrait a été remplacé — commande ${order.order_number}`,
		preheader: postal
			? `Un nouveau courrier est parti. Numéro de suivi : ${order.tracking_number ?? "sur la page de suivi"}.`
			: `Téléchargez le nouveau dans les ${linkLifetime} ; ensuite, la page de suivi vous donne un nouveau lien.`,
		title: "Votre extrait a été remplacé",
		blocks: [
			greetCustomer(order),
			`Nous avons remplacé l’extrait remis pour ${order.company_name} (SIREN ${order.siren}). Nous vous prions de nous excuser de ce contretemps ; ce remplacement ne vous coûte rien.`,
			"N’utilisez plus l’ancien extrait. Si vous l’avez transmis, envoyez le nouveau à la même personne.",
			...(postal
				? [
						"Le nouvel extrait est parti par courrier. L’acheminement demande un à trois jours ouvrés.",
						{ descriptionList: postDetails(order) },
						linkTracking(order, context),
					]
				: [
						...when(context.documentUrl, { action: "Télécharger le nouvel extrait (PDF)", url: context.documentUrl ?? "" }),
						customerLinkNote,
						linkTracking(order, context),
						`Nous gardons le document ${formatPeriod(retention.deliveredExtracts)} : enregistrez-le.`,
					]),
		],
	};
};

/** Without price and name: the recipient did not order. */
export const extractReplacedForRecipient: OrderEmailTemplate = (order, context) => ({
	subject: `Le document qui vous était destiné a été remplacé — commande ${order.order_number}`,
	preheader: `Téléchargez le nouveau dans les ${linkLifetime}, et enregistrez-le.`,
	title: "Le document a été remplacé",
	blocks: [
		"Bonjour,",
		"Nous vous avons envoyé un extrait à la demande de la personne qui l’a commandé. Nous l’avons remplacé : n’utilisez plus l’ancien.",
		{ descriptionList: identifyOrder(order) },
		...when(context.documentUrl, { action: "Télécharger le nouvel extrait (PDF)", url: context.documentUrl ?? "" }),
		recipientLinkNote,
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
		"Votre courrier suit son cours : seul le numéro était faux. Nous vous prions de nous excuser.",
		linkTracking(order, context),
	],
});

export const late: OrderEmailTemplate = (order, context) => {
	const { deliveryMethod, refundedWhenLate } = services[order.product_code];
	const refunded = refundedWhenLate && order.disputed_at === null;
	return {
		subject: `Votre commande ${order.order_number} est en retard`,
		preheader: refunded ? "Nous vous la remboursons en entier, et votre document arrive." : "Nous nous en occupons. Voici vos choix.",
		title: "Nous sommes en retard",
		blocks: [
			greetCustomer(order),
			`Nous n’avons pas tenu le délai promis${order.promised_at ? ` (${formatInstant(order.promised_at)})` : ""}. Nous vous présentons nos excuses.`,
			{ descriptionList: [...identifyOrder(order), ["Service", services[order.product_code].name]] },
			...(refunded
				? [
						"Comme nous nous y sommes engagés, votre commande est remboursée en entier, sans que vous ayez à le demander. Un autre e-mail vous le confirme, avec l’avoir.",
						"Votre document reste dû : il vous est remis dès que nous l’avons.",
						bankDays,
					]
				: [
						`Votre commande est suivie de près : vous recevez un e-mail dès que ${deliveryMethod === "postal" ? "le courrier part" : "le document est prêt"}.`,
						`Vous pouvez attendre, ou annuler ${cancellableWhile[deliveryMethod]}, depuis la page de suivi : la totalité vous est remboursée aussitôt.`,
					]),
			linkTracking(order, context),
		],
	};
};

/** The reason of a failure, for the customer. */
const failureLabels: Record<string, string> = {
	"not-found": "Le registre du commerce et des sociétés ne contient pas d’extrait pour cette entreprise.",
	"not-available": "Aucun extrait n’est délivré pour cette entreprise.",
};

const explainFailure = (order: Order) => failureLabels[order.failure_reason ?? ""] ?? "Nous n’avons pas pu obtenir le document commandé.";

export const failed: OrderEmailTemplate = (order, context) => ({
	subject: `Votre commande ${order.order_number} n’a pas abouti : elle vous est remboursée`,
	preheader: explainFailure(order),
	title: "Votre commande n’a pas abouti",
	blocks: [
		greetCustomer(order),
		explainFailure(order),
		{ descriptionList: identifyOrder(order) },
		...explainRefund(order),
		"L’extrait du registre national des entreprises (RNE) est gratuit sur data.inpi.fr. Ce n’est pas un Kbis, mais il peut suffire à votre démarche.",
		linkTracking(order, context),
	],
});
