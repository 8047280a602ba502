import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { guaranteePeriod } from "../catalogue/guarantee.ts";
import { documentLinkHours, maxAttachedBytes, maxAttachedSize, recipientFilesDays } from "../catalogue/link-lifetimes.ts";
import { formatPeriod, retention } from "../catalogue/retention.ts";
import { isPosted, services } from "../catalogue/services.ts";
import { documentToken } from "../documents/document-token.server.ts";
import type { StoredDocument } from "../documents/documents.server.ts";
import type { EmailBlock } from "../mail/email.ts";
import { formatLetterAddress, isDeliveredElsewhere } from "../orders/letter-address.ts";
import { formatExtractCount, type Order } from "../orders/order.ts";
import { changeState, listOrdersOfPurchase, recordEvent } from "../orders/orders.server.ts";
import { findRecipient, listOrdersToSameRecipient } from "../orders/recipient.ts";
import { purchaseFilesTokens, recipientFilesToken } from "../orders/tracking-tokens.server.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { defineOrderEmail, type EmailSubject, type SharedEmailData } from "./define-order-email.server.ts";
import {
	greetCustomer,
	informRecipient,
	linkTracking,
	listFailures,
	listLines,
	maxListed,
	nameCompany,
	nameExtract,
	nameLine,
	nameSender,
	numberPurchase,
	when,
} from "./email-parts.ts";
import { findMailDocument, loadPurchase } from "./load-parts.server.ts";
import { findOrderedCompany, isSoleTrader } from "./name-document.server.ts";
import type { QueueOrderEmail } from "./queue-order-email.server.ts";

// The e-mails that bring extracts. One extract is attached. Those of a purchase are behind one link, in one e-mail for each service, which
// also says what failed and what was late.

/** To the customer, with the PDF. A second recipient has a separate e-mail. Its sending completes the order. */
export const documentReady = defineOrderEmail({
	name: "document-ready",
	to: "customer",
	label: "Extrait prêt",
	load: loadExtract,
	attaches: attachExtract,
	compose(order, data) {
		const recipient = findRecipient(order);
		return {
			subject: `Votre ${nameExtract(data)} de ${order.company_name} — commande ${order.order_number}`,
			preheader: previewFile(data.extract),
			title: `Votre ${nameExtract(data)} est prêt`,
			blocks: [
				greetCustomer(order),
				`Voici ${nameDocument(order, data)}.`,
				...describeFile(data.extract),
				...when(recipient, `Nous l’envoyons aussi à ${recipient}, avec un message qui indique votre nom.`),
				{ action: "Télécharger l’extrait (PDF)", url: data.extract.url },
				renewableLink,
				linkTracking(data),
				keepFile,
				{ heading: "Si vous le transmettez" },
				"Envoyez le fichier plutôt que ce message, qui contient le lien de suivi de votre commande. Votre destinataire peut vérifier que le fichier n’a pas été modifié.",
				linkVerification(data),
				`Un extrait erroné ou inutilisable ? Signalez-le depuis la page de suivi dans les ${guaranteePeriod} qui suivent la livraison : après vérification, nous vous remboursons.`,
			],
		};
	},
	afterSending: completeOrder,
});

/** All orders of one service have ended: by e-mail, or by post without any letter. The order is the first of that service. */
export const purchaseReady = defineOrderEmail({
	name: "purchase-ready",
	to: "customer",
	label: "Extraits d’une commande groupée prêts",
	async load(context, { order }) {
		const purchase = await loadPurchase(context, order);
		const owner = { id: order.purchase_id, customer_email: order.customer_email };
		const token = hasReadableFiles(purchase.orders) && purchaseFilesTokens.extracts.sign(context.signer, owner, context.now());
		return { ...purchase, filesUrl: linkFiles(context, token) };
	},
	compose(order, data) {
		const { number, ready, failed, late } = sortService(order, data.orders);
		const { name } = services[order.product_code];
		const recipient = findRecipient(order);
		const [isAny, isOne] = [ready.length > 0, ready.length === 1];
		const title = isAny
			? isOne
				? "Votre extrait est prêt"
				: `Vos ${ready.length} extraits sont prêts`
			: `Aucun extrait ${name} n’a pu être obtenu`;
		const extracts = isOne ? `L’extrait ${name}` : `Les ${formatExtractCount(ready.length)} ${name}`;
		return {
			subject: `${title} — commande groupée ${number}`,
			preheader: `${name}. ${isAny ? (isOne ? "Téléchargez-le." : "Téléchargez-les en une fois.") : "Le prix vous est remboursé."}`,
			title,
			blocks: [
				greetCustomer(order),
				isAny
					? `${extracts} de votre commande groupée ${number} ${isOne ? "est prêt" : "sont prêts"}.`
					: `Aucun extrait ${name} de votre commande groupée ${number} n’a pu être obtenu.`,
				...when(isAny && recipient, `Nous écrivons aussi à ${recipient}, avec un message qui indique votre nom.`),
				...(isAny && data.filesUrl
					? [
							linkDownload(isOne, data.filesUrl),
							`Vous recevez un fichier ZIP, avec un tableau « manifeste.csv » qui donne le SIREN, votre référence et l’empreinte de chaque fichier. ${renewableLink}`,
						]
					: []),
				linkTracking(data),
				...explainFailures(failed),
				...explainDelays(order, late.length),
				...when(
					isAny,
					{ heading: "À savoir" },
					keepFile,
					`Un extrait erroné ou inutilisable ? Signalez-le depuis sa page de suivi dans les ${guaranteePeriod} qui suivent la livraison : après vérification, nous vous le remboursons.`,
				),
			],
		};
	},
});

/** To the second recipient, who did not order: nothing about money, and nothing that opens the order. */
export const documentForRecipient = defineOrderEmail({
	name: "document-ready-delivery",
	to: "delivery",
	label: "Extrait prêt, au destinataire",
	load: loadExtract,
	attaches: attachExtract,
	compose: (order, data) => ({
		subject: `${nameBuyer(order)} vous envoie l’${nameExtract(data)} de ${order.company_name}`,
		preheader: previewFile(data.extract),
		title: `Un ${nameExtract(data)} vous est adressé`,
		blocks: [
			"Bonjour,",
			`${nameSender(order, [order])} vous envoie ${nameDocument(order, data)}, commandé sur ${data.shop.name}.`,
			...describeFile(data.extract),
			{ action: "Télécharger l’extrait (PDF)", url: data.extract.url },
			limitLink(linkLifetime),
			{ heading: "Vérifier cet extrait" },
			"Vous pouvez vérifier que le fichier n’a pas été modifié depuis sa livraison. Il reste sur votre appareil pendant la vérification.",
			linkVerification(data),
			...explainSending(order, data),
		],
	}),
});

/** The same of a purchase: the extracts of one service that go to the recipient of the order, which is the first of them. */
export const purchaseReadyForRecipient = defineOrderEmail({
	name: "purchase-ready-delivery",
	to: "delivery",
	label: "Extraits d’une commande groupée prêts, au destinataire",
	async load(context, { order }) {
		const orders: readonly Order[] = await listOrdersOfPurchase(context.db, order.purchase_id);
		const recipient = findRecipient(order);
		const token =
			recipient !== null &&
			hasReadableFiles(orders) &&
			recipientFilesToken.sign(context.signer, { id: order.id, customer_email: recipient }, context.now());
		return { orders, filesUrl: linkFiles(context, token) };
	},
	compose(order, data) {
		const { orders, filesUrl } = data;
		const toSame = listOrdersToSameRecipient(order, sortService(order, orders).ready);
		const isOne = toSame.length <= 1;
		const named = toSame.slice(0, maxListed).map(nameCompany);
		const others = toSame.length - named.length;
		const lifetime = formatPeriod({ days: recipientFilesDays });
		return {
			subject: `${nameBuyer(order)} vous envoie ${isOne ? "un extrait" : formatExtractCount(toSame.length)} du registre du commerce`,
			preheader: `Téléchargez-${isOne ? "le" : "les"} dans les ${lifetime}.`,
			title: isOne ? "Un extrait vous est adressé" : `${toSame.length} extraits vous sont adressés`,
			blocks: [
				"Bonjour,",
				`${nameSender(order, orders)} vous envoie ${isOne ? "l’extrait de cette entreprise, commandé" : "les extraits de ces entreprises, commandés"} sur ${data.shop.name}.`,
				{ list: [...named, ...(others > 0 ? [`et ${others === 1 ? "une autre" : `${others} autres`}`] : [])], numbered: false },
				...(filesUrl
					? [
							linkDownload(isOne, filesUrl),
							limitLink(lifetime, isOne),
							`Vous pouvez vérifier ${isOne ? "que le fichier n’a pas" : "qu’aucun fichier n’a"} été modifié depuis sa livraison, sur notre page « Vérifier un extrait ».`,
							{ link: "Vérifier un extrait", url: absoluteUrl(data.baseUrl, "/verifier") },
						]
					: []),
				...explainSending(order, data),
			],
		};
	},
});

export const posted = defineOrderEmail({
	name: "posted",
	to: "customer",
	label: "Courrier posté",
	load: loadExtractName,
	compose: (order, data) => ({
		subject: `Votre courrier est parti — commande ${order.order_number}`,
		preheader: `${trackLetter(order)}. Comptez un à trois jours ouvrés.`,
		title: "Votre courrier est parti",
		blocks: [
			greetCustomer(order),
			`L’${nameExtract(data)} de ${nameCompany(order)} est posté. ${announceArrival(order, 1)}`,
			{ descriptionList: describeLetter(order) },
			linkTracking(data),
		],
	}),
});

/** All letters of a purchase are posted. The order is the first of them. */
export const purchasePosted = defineOrderEmail({
	name: "purchase-posted",
	to: "customer",
	label: "Courriers d’une commande groupée postés",
	load: (context, { order }) => loadPurchase(context, order),
	compose(order, data) {
		const { number, ready, failed } = sortService(order, data.orders);
		const isOne = ready.length <= 1;
		const title = isOne ? "Votre courrier est parti" : `Vos ${ready.length} courriers sont partis`;
		const extracts = isOne ? "L’extrait" : `Les ${formatExtractCount(ready.length)}`;
		return {
			subject: `${title} — commande groupée ${number}`,
			preheader: "Comptez un à trois jours ouvrés.",
			title,
			blocks: [
				greetCustomer(order),
				`${extracts} sur papier de votre commande groupée ${number} ${isOne ? "est posté" : "sont postés"}. ${announceArrival(order, ready.length)}`,
				...listLines(ready, (letter) => `${nameLine(letter)}. ${trackLetter(letter)}`, 200),
				linkTracking(data),
				...explainFailures(failed),
			],
		};
	},
});

/** Says how the new extract is delivered: as a file, or by post again. */
export const extractReplaced = defineOrderEmail({
	name: "extract-replaced",
	to: "customer",
	label: "Extrait remplacé",
	load: async (context, subject) =>
		isPosted(subject.order.product_code) ? { ...(await loadExtractName(context, subject)), extract: null } : loadExtract(context, subject),
	attaches: ({ extract }) => (extract ? attachExtract({ extract }) : []),
	compose: (order, data) => ({
		subject: `Votre extrait a été remplacé — commande ${order.order_number}`,
		preheader: data.extract
			? "Voici le nouvel extrait. N’utilisez plus l’ancien."
			: `Un nouveau courrier est parti. ${trackLetter(order)}.`,
		title: "Votre extrait a été remplacé",
		blocks: [
			greetCustomer(order),
			`Nous avons remplacé ${nameDocument(order, data)}. Nous vous prions de nous excuser de ce contretemps. Ce remplacement est gratuit.`,
			"N’utilisez plus l’ancien extrait. Si vous l’avez transmis, envoyez le nouveau à la même personne.",
			...(data.extract
				? [
						...describeFile(data.extract),
						{ action: "Télécharger le nouvel extrait (PDF)", url: data.extract.url },
						renewableLink,
						linkTracking(data),
						keepFile,
					]
				: [
						"Le nouvel extrait est parti par courrier. Comptez un à trois jours ouvrés.",
						{ descriptionList: describeLetter(order) },
						linkTracking(data),
					]),
		],
	}),
});

/** To the second recipient: as little as in documentForRecipient. */
export const extractReplacedForRecipient = defineOrderEmail({
	name: "extract-replaced-delivery",
	to: "delivery",
	label: "Extrait remplacé, au destinataire",
	load: loadExtract,
	attaches: attachExtract,
	compose: (order, data) => ({
		subject: `L’${nameExtract(data)} de ${order.company_name} que vous avez reçu est remplacé`,
		preheader: "Voici le nouvel extrait. N’utilisez plus l’ancien.",
		title: "L’extrait est remplacé",
		blocks: [
			"Bonjour,",
			`${nameSender(order, [order])} vous a envoyé ${nameDocument(order, data)}. Nous avons remplacé cet extrait : n’utilisez plus l’ancien.`,
			...describeFile(data.extract),
			{ action: "Télécharger le nouvel extrait (PDF)", url: data.extract.url },
			limitLink(linkLifetime),
			linkVerification(data),
			...informRecipient(order, data),
		],
	}),
});

export const trackingCorrected = defineOrderEmail({
	name: "tracking-corrected",
	to: "customer",
	label: "Numéro de suivi corrigé",
	load: async () => ({}),
	compose: (order, data) => ({
		subject: `Le bon numéro de suivi de votre courrier — commande ${order.order_number}`,
		preheader: `${trackLetter(order)}. Il remplace le précédent.`,
		title: "Le numéro de suivi est corrigé",
		blocks: [
			greetCustomer(order),
			`Le numéro de suivi que nous vous avions donné pour le courrier de ${nameCompany(order)} contenait une erreur. Voici le bon.`,
			{ descriptionList: describeLetter(order) },
			"Votre courrier est bien en route : seul le numéro était faux. Nous vous prions de nous excuser.",
			linkTracking(data),
		],
	}),
});

/** The extract of an e-mail. */
interface EmailExtract {
	document: StoredDocument;
	/** A signed link, valid for 24 hours. */
	url: string;
	/** Whether the e-mail has its file; null when it is not to have it. */
	file: "attached" | "too-large" | null;
}

/** @returns null without an extract: there is nothing to send. */
async function loadExtract(context: Context, { mail, order }: EmailSubject) {
	const { db, signer, now, environment } = context;
	const document = await findMailDocument(db, mail);
	if (document === null) return null;
	const token = documentToken.sign(signer, document.id, now());
	const extract: EmailExtract = {
		document,
		url: absoluteUrl(environment.baseUrl, "/documents/:token", { token }),
		file: chooseFile(order, document),
	};
	return { ...(await loadExtractName(context, { order })), extract };
}

async function loadExtractName({ db }: Context, { order }: Pick<EmailSubject, "order">) {
	return { soleTrader: isSoleTrader(await findOrderedCompany(db, order)) };
}

/** A dispute stops downloads (docs/rules.md, R25 and R32). */
function chooseFile({ disputed_at }: Order, { bytes, purged_at }: StoredDocument): EmailExtract["file"] {
	if (disputed_at !== null || purged_at !== null) return null;
	return bytes > maxAttachedBytes ? "too-large" : "attached";
}

function attachExtract({ extract: { document, file } }: { extract: EmailExtract }) {
	return file === "attached" ? [document] : [];
}

/** Records that the extract was sent, which completes the order. */
async function completeOrder(
	context: Context,
	trx: Trx,
	{ mail, order: { id: orderId }, data, queue }: EmailSubject & { data: { extract: EmailExtract }; queue: QueueOrderEmail },
): Promise<void> {
	const now = context.now();
	await recordEvent(trx, { orderId, type: "document_sent", payload: { document_id: data.extract.document.id }, now });
	const completed = await changeState(trx, orderId, "completed", { set: { completed_at: now }, now });
	// usually queued with this e-mail; here also for a recipient that the customer added since
	if (completed && findRecipient(completed))
		await queue({ ...context, now: () => now }, trx, { orderId, kind: "document-ready-delivery", documentId: mail.document_id });
}

/** Whether the archive of a purchase has files that may be read. */
const hasReadableFiles = (orders: readonly Order[]): boolean =>
	orders.some(({ status, product_code }) => status === "completed" && !isPosted(product_code)) &&
	orders.every(({ disputed_at }) => disputed_at === null);

const linkFiles = ({ environment: { baseUrl } }: Context, token: string | false): string | null =>
	token === false ? null : absoluteUrl(baseUrl, "/documents/ensemble/:token", { token });

/** The orders of the e-mail's service: those that have their extract, those that failed, and those that were late. */
function sortService(order: Order, orders: readonly Order[]) {
	const ofService = orders.filter(({ product_code }) => product_code === order.product_code);
	return {
		number: numberPurchase(order, orders),
		ready: ofService.filter(({ status }) => status === "completed"),
		// the customer has a receipt of each cancellation
		failed: ofService.filter(({ status, failure_reason }) => status === "failed" && failure_reason !== "cancelled"),
		late: ofService.filter(({ status, late_at }) => status === "completed" && late_at !== null),
	};
}

const linkLifetime = formatPeriod({ hours: documentLinkHours });

const renewableLink = `Ce lien est valable ${linkLifetime}. Ensuite, la page de suivi vous en donne un nouveau.`;

/** To a recipient, for whom no page renews the link. */
const limitLink = (lifetime: string, isOne = true) =>
	`Ce lien est valable ${lifetime}. Enregistrez ${isOne ? "le fichier" : "les fichiers"} sur votre appareil avant la fin de ce délai.`;

const keepFile = `Enregistrez le fichier sur votre appareil : vous pouvez le télécharger depuis la page de suivi pendant ${formatPeriod(retention.deliveredExtracts)}, puis nous le supprimons.`;

const previewFile = ({ file }: EmailExtract) =>
	file === "attached" ? "Il est joint à ce message." : `Téléchargez-le dans les ${linkLifetime}.`;

/** « l’extrait Kbis de DANONE (SIREN 552032534) » */
const nameDocument = (order: Order, named: { soleTrader: boolean }) => `l’${nameExtract(named)} de ${nameCompany(order)}`;

/** Says where the file is: attached, or behind the link. */
function describeFile({ file }: EmailExtract): EmailBlock[] {
	if (file === "attached") return ["Il est joint à ce message, au format PDF."];
	if (file === null) return [];
	return [`Le fichier dépasse ${maxAttachedSize} : il n’est pas joint à ce message. Téléchargez-le par le lien ci-dessous.`];
}

const linkDownload = (isOne: boolean, url: string): EmailBlock => ({
	action: isOne ? "Télécharger l’extrait" : "Télécharger les extraits",
	url,
});

const linkVerification = ({ baseUrl, extract }: SharedEmailData & { extract: EmailExtract }): EmailBlock => ({
	link: "Vérifier l’extrait",
	url: absoluteUrl(baseUrl, "/verifier/:document", { document: extract.document.id }),
});

const nameBuyer = ({ first_name, last_name }: Order) => `${first_name} ${last_name}`;

/** The end of an e-mail to a recipient. */
const explainSending = (order: Order, data: SharedEmailData): EmailBlock[] => [
	`Une question sur cet envoi ? Adressez-vous à ${nameBuyer(order)}.`,
	...informRecipient(order, data),
];

/** « Numéro de suivi : 6A01234567890 » */
const trackLetter = ({ tracking_number }: Order) => `Numéro de suivi : ${tracking_number ?? "sur la page de suivi"}`;

const describeLetter = (order: Order) => [
	...(order.tracking_number ? ([["Numéro de suivi", order.tracking_number]] as const) : []),
	["Destination", formatLetterAddress(order)] as const,
];

function announceArrival(order: Order, count: number): string {
	const [elsewhere, here] = count > 1 ? ["Ils arriveront", "Vous les recevrez"] : ["Il arrivera", "Vous le recevrez"];
	return `${isDeliveredElsewhere(order) ? `${elsewhere} à destination` : here} d’ici un à trois jours ouvrés.`;
}

const explainFailures = (failed: readonly Order[]): EmailBlock[] =>
	when(
		failed.length > 0,
		{ heading: failed.length === 1 ? "Un extrait n’a pas pu être obtenu" : `${failed.length} extraits n’ont pas pu être obtenus` },
		...listFailures(failed, failed.length === 1 ? "Il vous est remboursé en totalité." : "Ils vous sont remboursés en totalité."),
	);

const explainDelays = ({ product_code }: Order, count: number): EmailBlock[] =>
	when(
		count > 0 && services[product_code].refundedWhenLate,
		`${formatExtractCount(count)} de ce service ${count === 1 ? "a été livré" : "ont été livrés"} après l’heure promise. Nous vous présentons nos excuses. Conformément à notre engagement, ${count === 1 ? "il vous est remboursé" : "ils vous sont remboursés"} en totalité.`,
	);
