import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { guaranteePeriod } from "../catalogue/after-sale.ts";
import { documentLinkHours, maxAttachedBytes, maxAttachedSize, recipientFilesDays } from "../catalogue/link-lifetimes.ts";
import { formatPeriod, retention } from "../catalogue/retention.ts";
import { isPosted, services } from "../catalogue/services.ts";
import { announceArrival } from "../catalogue/transit.ts";
import { nameInSentence, nameInSubject } from "../companies/company-name.ts";
import type { EmailBlock, EmailContent } from "../mail/email.ts";
import { findExtract, listExtracts, type StoredDocument } from "../orders/documents/documents.store.server.ts";
import { createDocumentPath, signKey } from "../orders/keys.server.ts";
import { formatLetterAddress, getLetterAddress } from "../orders/letter-address.ts";
import { getLetterUrl } from "../orders/letter-tracking.ts";
import { formatExtractCount, isDownloadable, type Order } from "../orders/order.ts";
import { listOrdersOfPurchase, listPostings, recordEvent } from "../orders/orders.store.server.ts";
import { findRecipient, listOrdersToSameRecipient } from "../orders/recipient.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { nameWithOf } from "../ui/name-with-of.ts";
import { completeAfter } from "./complete-after.server.ts";
import { defineOrderEmail, type EmailSubject, type SharedEmailData } from "./define-order-email.server.ts";
import {
	beginSubject,
	greetCustomer,
	informRecipient,
	linkTracking,
	listFailures,
	listLines,
	listOfService,
	maxListed,
	nameBuyer,
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

// The e-mails that bring extracts: one for each service of a purchase, which also says what failed and what was late. One extract is attached;
// several are behind one link.

/**
 * To the customer. A second recipient has a separate e-mail. Of one line: with the PDF, and its sending delivers the order. Of several: all
 * orders of one service have ended, by e-mail, or by post without any letter; the order is the first of them.
 */
export const documentReady = defineOrderEmail({
	name: "document-ready",
	formerNames: ["purchase-ready"],
	to: "customer",
	label: "Extrait prêt",
	async load(context, subject) {
		const purchase = await loadPurchase(context, subject.order);
		const { ready, failed } = sortService(subject.order, purchase.orders);
		// deleted since: nothing is left to bring
		const isAnyReady = purchase.orders.length > 1 && ready.length > 0 && failed.length === 0;
		if (isAnyReady && (await listKept(context, ready)).length === 0) return null;
		const files = await loadFiles(context, subject, { orders: purchase.orders, ready, createUrl: createFilesUrl });
		return files && { ...purchase, ...files };
	},
	attaches: attachExtract,
	compose: (order, data) => (data.extract ? composeExtract(data.line, { ...data, extract: data.extract }) : composeService(order, data)),
	afterSending: recordSent,
});

function composeExtract(order: Order, data: SharedEmailData & LoadedExtract & Pick<ServiceFiles, "orders">): EmailContent {
	const recipient = findRecipient(order);
	const { number, failed, late } = sortService(order, data.orders);
	const isOneOfSeveral = data.orders.length > 1;
	return {
		subject: `${nameInSubject(order)} : votre ${nameExtract(data)} est prêt — ${isOneOfSeveral ? "commande groupée" : "commande"} ${number}`,
		preheader: previewFile(data.extract),
		title: `Votre ${nameExtract(data)} est prêt`,
		blocks: [
			greetCustomer(order),
			`Voici ${nameDocument(order, data)}.`,
			{ descriptionList: describeDelivery(order, data.customerEmail) },
			...describeFile(data.extract),
			...when(recipient, `Nous l’envoyons aussi à ${recipient}, avec un message qui indique votre nom.`),
			{ action: "Télécharger l’extrait (PDF)", url: data.extract.url },
			renewableLink,
			linkTracking(data),
			keepFile,
			...when(isOneOfSeveral, ...explainFailures(failed), ...explainDelays(order, late.length)),
			{ heading: "Si vous le transmettez" },
			"Envoyez le fichier plutôt que ce message, qui contient le lien de suivi de votre commande. Votre destinataire peut vérifier que le fichier n’a pas été modifié.",
			linkVerification(data),
			`Un extrait erroné ou inutilisable ? Signalez-le depuis la page de suivi dans les ${guaranteePeriod} qui suivent la livraison : après vérification, nous vous remboursons.`,
		],
	};
}

function composeService(order: Order, data: SharedEmailData & ServiceFiles): EmailContent {
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
	const archive =
		"Vous recevez un fichier ZIP, avec un tableau « manifeste.csv » qui donne le SIREN, votre référence et l’empreinte de chaque fichier.";
	return {
		subject: `${isOne ? `${beginSubject(ready)} : votre extrait est prêt` : title} — commande groupée ${number}`,
		preheader: joinSentences(`${name}.`, isAny ? data.filesUrl && "Téléchargez-les en une fois." : "Le prix vous est remboursé."),
		title,
		blocks: [
			greetCustomer(order),
			isAny
				? `${extracts} de votre commande groupée ${number} ${isOne ? "est prêt" : "sont prêts"}.`
				: `Aucun extrait ${name} de votre commande groupée ${number} n’a pu être obtenu.`,
			...when(isAny && recipient, `Nous écrivons aussi à ${recipient}, avec un message qui indique votre nom.`),
			...(isAny && data.filesUrl ? [linkDownloads(data.filesUrl), `${archive} ${renewableLink}`] : []),
			linkTracking(data),
			...when(isAny, nameReady(ready)),
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
}

/** The most extracts that an e-mail names when they are ready. */
const maxNamed = 12;

/** Each extract with the customer's reference, the first ones and how many more there are. */
function nameReady(ready: readonly Order[]): EmailBlock {
	const others = ready.length - maxNamed;
	const more = others > 0 ? [others === 1 ? "et un autre" : `et ${others} autres`] : [];
	return { list: [...ready.slice(0, maxNamed).map((order) => `${nameLine(order)} — ${order.order_number}`), ...more], numbered: false };
}

/**
 * To the second recipient, who did not order: nothing about money, and nothing that opens the order. Of several lines: the extracts of one
 * service that go to the recipient of the order, which is the first of them, without those that were deleted; with none left, nothing is sent.
 */
export const documentForRecipient = defineOrderEmail({
	name: "document-ready-delivery",
	formerNames: ["purchase-ready-delivery"],
	to: "delivery",
	label: "Extrait prêt, au destinataire",
	async load(context, subject) {
		const orders: readonly Order[] = await listOrdersOfPurchase(context.db, subject.order.purchase_id);
		const delivered = listOrdersToSameRecipient(subject.order, sortService(subject.order, orders).ready);
		const ready = await listKept(context, delivered);
		if (delivered.length > 0 && ready.length === 0) return null;
		const files = await loadFiles(context, subject, { orders, ready, createUrl: createRecipientFilesUrl });
		return files && { orders, ready, ...files };
	},
	attaches: attachExtract,
	compose: (order, data) =>
		data.extract ? composeExtractForRecipient(data.line, { ...data, extract: data.extract }) : composeServiceForRecipient(order, data),
});

const composeExtractForRecipient = (order: Order, data: SharedEmailData & LoadedExtract & Pick<ServiceFiles, "orders">): EmailContent => ({
	subject: `${nameInSubject(order)} : ${nameExtract(data)} envoyé par ${nameBuyer(order)}`,
	preheader: previewFile(data.extract),
	title: `Un ${nameExtract(data)} vous est adressé`,
	blocks: [
		"Bonjour,",
		`${nameSender(order, data.orders)} vous envoie ${nameDocument(order, data)}, commandé sur ${data.shop.name}.`,
		...describeFile(data.extract),
		{ action: "Télécharger l’extrait (PDF)", url: data.extract.url },
		limitLink(linkLifetime),
		{ heading: "Vérifier cet extrait" },
		"Vous pouvez vérifier que le fichier n’a pas été modifié depuis sa livraison. Il reste sur votre appareil pendant la vérification.",
		linkVerification(data),
		...explainSending(order, data),
	],
});

function composeServiceForRecipient(
	order: Order,
	{ ready, ...data }: SharedEmailData & ServiceFiles & { ready: readonly Order[] },
): EmailContent {
	const { orders, filesUrl } = data;
	const isOne = ready.length <= 1;
	const named = ready.slice(0, maxListed).map(nameCompany);
	const others = ready.length - named.length;
	const lifetime = formatPeriod({ days: recipientFilesDays });
	return {
		subject: isOne
			? `${beginSubject(ready)} : extrait du registre du commerce envoyé par ${nameBuyer(order)}`
			: `${beginSubject(ready)} du registre du commerce envoyés par ${nameBuyer(order)}`,
		preheader: filesUrl ? `Téléchargez-les dans les ${lifetime}.` : `Commandé sur ${data.shop.name}.`,
		title: isOne ? "Un extrait vous est adressé" : `${ready.length} extraits vous sont adressés`,
		blocks: [
			"Bonjour,",
			`${nameSender(order, orders)} vous envoie ${isOne ? "l’extrait de cette entreprise, commandé" : "les extraits de ces entreprises, commandés"} sur ${data.shop.name}.`,
			{ list: [...named, ...(others > 0 ? [`et ${others === 1 ? "une autre" : `${others} autres`}`] : [])], numbered: false },
			...(filesUrl
				? [
						linkDownloads(filesUrl),
						limitLink(lifetime, "les fichiers"),
						"Vous pouvez vérifier qu’aucun fichier n’a été modifié depuis sa livraison, sur notre page « Vérifier un extrait ».",
						{ link: "Vérifier un extrait", url: absoluteUrl(data.baseUrl, "/verifier") },
					]
				: []),
			...explainSending(order, data),
		],
	};
}

/** All letters of a purchase are posted. The order is the first of them. */
export const posted = defineOrderEmail({
	name: "posted",
	formerNames: ["purchase-posted"],
	to: "customer",
	label: "Courrier posté",
	async load(context, subject) {
		const purchase = await loadPurchase(context, subject.order);
		return { ...purchase, ...(await loadExtractName(context, subject)), postings: await loadPostings(context, purchase.orders) };
	},
	compose(order, data) {
		const { number, ready, failed } = sortService(order, data.orders);
		if (data.orders.length === 1)
			return {
				subject: `${nameInSubject(order)} : votre courrier est parti — commande ${number}`,
				preheader: joinSentences(`${trackLetter(order)}.`, announceLetter(order, data)),
				title: "Votre courrier est parti",
				blocks: [
					greetCustomer(order),
					joinSentences(`L’${nameExtract(data)} ${nameWithOf(nameInSentence(order))} est posté.`, announceLetter(order, data)),
					{ descriptionList: describeLetter(order) },
					...linkLetter(order),
					linkTracking(data),
				],
			};
		const isOne = ready.length <= 1;
		const title = isOne ? "Votre courrier est parti" : `Vos ${ready.length} courriers sont partis`;
		const extracts = isOne ? "L’extrait" : `Les ${formatExtractCount(ready.length)}`;
		// letters of one purchase usually leave together for one address
		const arrival = findCommon(ready.map((letter) => announceLetter(letter, data)));
		const destination = findCommon(ready.map(formatLetterAddress));
		const describe = (letter: Order) =>
			joinSentences(
				`${nameLine(letter)}.`,
				destination ? null : `Destination : ${formatLetterAddress(letter)}.`,
				`${trackLetter(letter)}.`,
				arrival ? null : announceLetter(letter, data),
			);
		return {
			subject: `${isOne ? `${beginSubject(ready)} : votre courrier est parti` : title} — commande groupée ${number}`,
			preheader: arrival ?? (isOne ? "Suivez-le jusqu’à son arrivée." : "Suivez-les jusqu’à leur arrivée."),
			title,
			blocks: [
				greetCustomer(order),
				joinSentences(`${extracts} sur papier de votre commande groupée ${number} ${isOne ? "est posté" : "sont postés"}.`, arrival),
				{ descriptionList: describeDestination(order, destination) },
				...listLines(ready, describe, 200),
				...(isOne ? ready.flatMap(linkLetter) : []),
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
	async load(context, subject) {
		const postings = await loadPostings(context, [subject.order]);
		if (isPosted(subject.order.product_code)) return { ...(await loadExtractName(context, subject)), extract: null, postings };
		const loaded = await loadExtract(context, subject);
		return loaded && { ...loaded, postings };
	},
	attaches: attachExtract,
	compose: (order, data) => ({
		subject: `${nameInSubject(order)} : votre extrait a été remplacé — commande ${order.order_number}`,
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
						{ descriptionList: describeSending(order, data) },
						...describeFile(data.extract),
						{ action: "Télécharger le nouvel extrait (PDF)", url: data.extract.url },
						renewableLink,
						linkTracking(data),
						keepFile,
					]
				: [
						joinSentences("Le nouvel extrait est parti par courrier.", announceLetter(order, data)),
						{ descriptionList: describeLetter(order) },
						...linkLetter(order),
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
		subject: `${nameInSubject(order)} : l’${nameExtract(data)} que vous avez reçu est remplacé`,
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
		subject: `${nameInSubject(order)} : le bon numéro de suivi de votre courrier — commande ${order.order_number}`,
		preheader: `${trackLetter(order)}. Il remplace le précédent.`,
		title: "Le numéro de suivi est corrigé",
		blocks: [
			greetCustomer(order),
			`Le numéro de suivi que nous vous avions donné pour le courrier ${nameWithOf(nameInSentence(order))} contenait une erreur. Voici le bon.`,
			{ descriptionList: describeLetter(order) },
			...linkLetter(order),
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

interface LoadedExtract {
	soleTrader: boolean;
	extract: EmailExtract;
}

/** All orders of a purchase, and the link to the extracts of a service; null where one is attached, and where nothing may be read. */
interface ServiceFiles {
	orders: readonly Order[];
	filesUrl: string | null;
}

/** `line`: the order of the extract, or else that of the e-mail. */
interface LoadedFiles {
	line: Order;
	soleTrader: boolean;
	extract: EmailExtract | null;
	filesUrl: string | null;
}

interface FilesToLoad {
	/** All of the purchase. */
	orders: readonly Order[];
	/** Those whose extract the e-mail brings. */
	ready: readonly Order[];
	createUrl: (context: Context, order: Order, orders: readonly Order[]) => Promise<string | null>;
}

/**
 * The only extract of an e-mail with its order, or the link to several, and to one that is too large to be attached.
 * @returns null without the extract: there is nothing to send.
 */
async function loadFiles(context: Context, subject: EmailSubject, { orders, ready, createUrl }: FilesToLoad): Promise<LoadedFiles | null> {
	const files = { line: subject.order, soleTrader: false, extract: null, filesUrl: null };
	if (orders.length === 1) {
		const loaded = await loadExtract(context, subject);
		return loaded && { ...files, ...loaded };
	}
	const [line, ...others] = ready;
	const document = line && others.length === 0 ? await findExtract(context.db, line.id) : null;
	if (!line || document === null || chooseFile(line, document) === "too-large")
		return { ...files, filesUrl: await createUrl(context, subject.order, orders) };
	return isDownloadable(line, document) ? { ...files, line, ...(await describeExtract(context, line, document)) } : files;
}

/** The orders whose extract was not deleted. */
async function listKept({ db }: Context, orders: readonly Order[]): Promise<Order[]> {
	const ids = orders.map(({ id }) => id);
	const deleted = new Set((await listExtracts(db, ids)).flatMap(({ order_id, purged_at }) => (purged_at === null ? [] : order_id)));
	return orders.filter(({ id }) => !deleted.has(id));
}

/** @returns null without an extract: there is nothing to send. */
async function loadExtract(context: Context, { mail, order }: EmailSubject): Promise<LoadedExtract | null> {
	const document = await findMailDocument(context.db, mail);
	return document && describeExtract(context, order, document);
}

async function describeExtract(context: Context, order: Order, document: StoredDocument): Promise<LoadedExtract> {
	const extract: EmailExtract = {
		document,
		url: `${context.environment.baseUrl}${createDocumentPath(context, document.id)}`,
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

function attachExtract({ extract }: { extract: EmailExtract | null }) {
	return extract?.file === "attached" ? [extract.document] : [];
}

/** Records that the extract was sent, and completes an order that was bought alone. The others were delivered on the page of the purchase. */
async function recordSent(
	context: Context,
	trx: Trx,
	{ mail, data, queue }: EmailSubject & { data: { line: Order; extract: EmailExtract | null }; queue: QueueOrderEmail },
): Promise<void> {
	if (data.extract === null) return;
	const order = data.line;
	const now = context.now();
	const at = { ...context, now: () => now };
	await recordEvent(trx, { orderId: order.id, type: "document_sent", payload: { document_id: data.extract.document.id }, now });
	const completed = await completeAfter(at, trx, order, "sent");
	// usually queued with this e-mail; here also for a recipient that the customer added since
	if (completed && findRecipient(completed.order))
		await queue(at, trx, { orderId: order.id, kind: "document-ready-delivery", documentId: mail.document_id });
}

/** Whether the archive of a purchase has files that may be read. */
const hasReadableFiles = (orders: readonly Order[]): boolean =>
	orders.some(({ status, product_code }) => status === "completed" && !isPosted(product_code)) &&
	orders.every(({ disputed_at }) => disputed_at === null);

const linkFiles = ({ environment: { baseUrl } }: Context, token: string): string =>
	absoluteUrl(baseUrl, "/documents/ensemble/:token", { token });

/** The link to the archive of the purchase. @returns null when nothing may be read. */
async function createFilesUrl(context: Context, order: Order, orders: readonly Order[]): Promise<string | null> {
	const owner = { id: order.purchase_id, customer_email: order.customer_email };
	return hasReadableFiles(orders) ? linkFiles(context, signKey(context, "files", owner, { access: "purchase-link" })) : null;
}

async function createRecipientFilesUrl(context: Context, order: Order, orders: readonly Order[]): Promise<string | null> {
	const isReadable = findRecipient(order) !== null && hasReadableFiles(orders);
	return isReadable ? linkFiles(context, signKey(context, "recipient-files", order, { access: "link" })) : null;
}

/** The orders of the e-mail's service: those that have their extract, those that failed, and those that were late. */
function sortService(order: Order, orders: readonly Order[]) {
	const ofService = listOfService(order, orders);
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
const limitLink = (lifetime: string, files = "le fichier") =>
	`Ce lien est valable ${lifetime}. Enregistrez ${files} sur votre appareil avant la fin de ce délai.`;

const keepFile = `Enregistrez le fichier sur votre appareil : vous pouvez le télécharger depuis la page de suivi pendant ${formatPeriod(retention.deliveredExtracts)}, puis nous le supprimons.`;

const previewFile = ({ file }: EmailExtract) =>
	file === "attached" ? "Il est joint à ce message." : `Téléchargez-le dans les ${linkLifetime}.`;

/** « l’extrait Kbis de DANONE (SIREN 552032534) » */
const nameDocument = (order: Order, named: { soleTrader: boolean }) => `l’${nameExtract(named)} ${nameWithOf(nameInSentence(order))}`;

/** Says where the file is: attached, or behind the link. */
function describeFile({ file }: EmailExtract): EmailBlock[] {
	if (file === "attached") return ["Il est joint à ce message, au format PDF."];
	if (file === null) return [];
	return [`Le fichier dépasse ${maxAttachedSize} : il n’est pas joint à ce message. Téléchargez-le par le lien ci-dessous.`];
}

const linkDownloads = (url: string): EmailBlock => ({ action: "Télécharger les extraits", url });

const linkVerification = ({ baseUrl, extract }: SharedEmailData & { extract: EmailExtract }): EmailBlock => ({
	link: "Vérifier l’extrait",
	url: absoluteUrl(baseUrl, "/verifier/:document", { document: extract.document.id }),
});

/** The end of an e-mail to a recipient. */
const explainSending = (order: Order, data: SharedEmailData): EmailBlock[] => [
	`Une question sur cet envoi ? Adressez-vous à ${nameBuyer(order)}.`,
	...informRecipient(order, data),
];

/** « Numéro de suivi : 6A01234567890 » */
const trackLetter = ({ tracking_number }: Order) => `Numéro de suivi : ${tracking_number ?? "sur la page de suivi"}`;

/** What follows the name of the company in each delivery, by e-mail and by post. @param destination null where lines have several. */
const describeDestination = ({ product_code }: Order, destination: string | null) => [
	["Service", services[product_code].name] as const,
	...(destination ? ([["Destination", destination]] as const) : []),
];

const describeDelivery = (order: Order, destination: string) => [
	...describeDestination(order, destination),
	...(order.tracking_number ? ([["Numéro de suivi", order.tracking_number]] as const) : []),
	...(order.reference ? ([["Votre référence", order.reference]] as const) : []),
];

const describeSending = (order: Order, { customerEmail }: SharedEmailData) =>
	describeDelivery(order, [customerEmail, findRecipient(order)].filter(Boolean).join(" et "));

const describeLetter = (order: Order) => describeDelivery(order, formatLetterAddress(order));

/** What all have in common; null where they differ. */
function findCommon<Value>(values: readonly Value[]): Value | null {
	const [value = null, ...others] = new Set(values);
	return others.length === 0 ? value : null;
}

const linkLetter = ({ tracking_number }: Order): EmailBlock[] => {
	const url = tracking_number && getLetterUrl(tracking_number);
	return url ? [{ link: "Suivre le courrier sur laposte.fr", url }] : [];
};

/** When each letter was posted, by the id of its order. */
type Postings = ReadonlyMap<string, Date>;

const loadPostings = ({ db }: Context, orders: readonly Order[]): Promise<Postings> =>
	listPostings(
		db,
		orders.map(({ id }) => id),
	);

/** « Arrivée prévue entre le jeudi 3 et le lundi 7 décembre. », as on the page. */
const announceLetter = (letter: Order, { postings, happenedAt }: SharedEmailData & { postings: Postings }): string | null =>
	announceArrival(postings.get(letter.id) ?? happenedAt, getLetterAddress(letter).postalCode);

const joinSentences = (...sentences: readonly (string | null)[]): string => sentences.filter(Boolean).join(" ");

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
