import type { Database } from "../../server/database/database.ts";
import { replyTime } from "../catalogue/after-sale.ts";
import { cancellableWhile, executedWhen } from "../catalogue/cancellation.ts";
import { isFrenchHoliday } from "../catalogue/holidays.ts";
import { formatInstant, formatLongDay, formatPromisedInstant, inParis } from "../catalogue/instants.ts";
import { formatEuros, splitVat } from "../catalogue/money.ts";
import { findNextOpening, parseOpeningHours } from "../catalogue/opening-hours.ts";
import { isPosted, services } from "../catalogue/services.ts";
import { toCalendar } from "../catalogue/settings/days-off.ts";
import { readSettings } from "../catalogue/settings/shop-settings.store.server.ts";
import { formatArrival } from "../catalogue/transit.ts";
import { formatAddress } from "../companies/addresses/address-lines.ts";
import { nameInSubject } from "../companies/company-name.ts";
import type { EmailBlock } from "../mail/email.ts";
import { describeRequests } from "../orders/describe-request.ts";
import { findDocument, listExtracts, type StoredDocument } from "../orders/documents/documents.store.server.ts";
import type { StorageContext } from "../orders/documents/storage.ts";
import { findInvoiceOfDocument, findInvoiceOfPurchase, listInvoicesOfPurchase } from "../orders/invoices/invoices.store.server.ts";
import { createResumePath } from "../orders/keys.server.ts";
import { formatLetterAddress, getLetterAddress } from "../orders/letter-address.ts";
import { formatExtractCount, type Order, sumPrices } from "../orders/order.ts";
import { listEvents } from "../orders/orders.store.server.ts";
import { findRecipient } from "../orders/recipient.ts";
import { findTermsOfOrder, type TermsFile } from "../orders/terms/terms-of-order.server.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { defineOrderEmail, type EmailSubject } from "./define-order-email.server.ts";
import {
	beginSubject,
	countServices,
	greetCustomer,
	groupByService,
	identifyOrder,
	linkSpace,
	linkTracking,
	listLines,
	nameLine,
	numberPurchase,
	when,
} from "./email-parts.ts";
import { findMailDocument, loadPurchase } from "./load-parts.server.ts";

/** The reminder of an unfinished payment. A customer who pays within ten minutes gets none. */
export const resume = defineOrderEmail({
	name: "resume",
	to: "customer",
	label: "Paiement à reprendre",
	delay: 600_000,
	dailyLimit: { name: "unpaid-reminder", most: 1 },
	isOutdated: ({ status, failure_reason }) => status !== "pending" && failure_reason !== "expired",
	async load(context, { order }) {
		const resumeUrl = `${context.environment.baseUrl}${createResumePath(context, order)}`;
		return { ...(await loadPurchase(context, order)), resumeUrl };
	},
	compose: (order, { orders, resumeUrl }) => ({
		subject: `Votre ${nameOrder(orders)} ${order.order_number} n’est pas payée`,
		preheader: "Rien n’a été prélevé. Vous pouvez reprendre le paiement.",
		title: "Votre paiement n’est pas terminé",
		blocks: [
			greetCustomer(order),
			"Votre commande est enregistrée, mais vous n’avez pas terminé le paiement. Rien n’a été prélevé.",
			{
				descriptionList: [
					...(orders.length > 1
						? ([["Numéro de commande groupée", order.order_number], ...countServices(orders)] as const)
						: ([...identifyOrder(order), ["Service", services[order.product_code].name]] as const)),
					["Total", `${formatEuros(sumPrices(orders))} TTC`],
				],
			},
			{ action: "Reprendre le paiement", url: resumeUrl },
			"Vous ne voulez plus de cette commande ? Vous n’avez rien à faire et vous ne devez rien. Nous ne vous relancerons pas.",
		],
	}),
});

const nameOrder = (orders: readonly Order[]) => (orders.length > 1 ? "commande groupée" : "commande");

/**
 * Confirms the contract of a purchase on a durable medium, before the delivery (C. conso. L221-13). The order is the first one. That of one
 * extract names its company and its promise; that of several lists them, and links to their page.
 */
export const confirmation = defineOrderEmail({
	name: "confirmation",
	to: "customer",
	label: "Confirmation et facture",
	async load(context, subject) {
		const { db } = context;
		const purchase = await loadPurchase(context, subject.order);
		const invoice = await findInvoiceInForce(db, subject);
		return {
			...purchase,
			invoice,
			cancellingNote: await findCancellingNote(db, invoice),
			terms: await findTermsOfOrder(db, subject.order),
			request: await findRequestSentence(context, purchase.orders),
			promiseMoved: await hasPromiseMoved(db, purchase.orders),
		};
	},
	attaches: ({ invoice, cancellingNote, terms }) => [invoice, cancellingNote, terms],
	compose(order, data) {
		const { orders, cancellingNote, terms, request, promiseMoved, baseUrl, shop } = data;
		const isOne = orders.length === 1;
		const count = formatExtractCount(orders.length);
		const total = sumPrices(orders);
		const { ht, vat } = splitVat(total);
		const groups = groupByService(orders);
		return {
			subject: `${beginSubject(orders)} : ${isOne ? "commande" : "commande groupée"} ${order.order_number} confirmée`,
			preheader: isOne ? summarise(order) : `${count}, ${formatEuros(total)} TTC. Votre facture est jointe.`,
			title: "Commande confirmée",
			blocks: [
				greetCustomer(order),
				`Votre paiement est enregistré et votre commande ${isOne ? "" : `de ${count} `}est confirmée.`,
				{
					descriptionList: [
						...(isOne ? listOrderRows(order) : listPurchaseRows(order, orders)),
						["Total payé", `${formatEuros(total)} TTC (${formatEuros(ht)} HT et ${formatEuros(vat)} de TVA à 20 %)`],
						...(cancellingNote || !order.paid_at ? [] : ([["Facturé à", formatInvoicedCustomer(order)]] as const)),
						...(order.paid_at ? ([["Payé le", formatInstant(order.paid_at)]] as const) : []),
					],
				},
				...when(
					promiseMoved,
					`Nos jours ou nos heures d’ouverture ont changé entre votre commande et votre paiement : ${isOne ? "l’heure ci-dessus nous engage, et remplace celle" : "les heures ci-dessus nous engagent, et remplacent celles"} que la page de paiement affichait.`,
				),
				...(request ? [request] : []),
				// the guarantees beside the pay button are part of the contract
				...groups.map(({ service }) => (groups.length === 1 ? service.highlight : `${service.name}. ${service.highlight}`)),
				{ action: "Suivre votre commande", url: data.trackingUrl },
				...when(
					!isOne,
					"Cette page montre où en est chaque extrait, et vous permet de tous les télécharger. Nous vous écrivons quand tous les extraits d’un même service sont prêts, et dès le premier retard ou échec.",
				),
				"Conservez votre numéro de commande : avec votre e-mail, il permet de retrouver votre commande.",
				linkSpace(data),
				...when(
					!isOne,
					{ heading: "Les extraits de votre commande" },
					...listLines(orders, (line) => `${nameLine(line)}, ${services[line.product_code].name}`),
					{ heading: "Le contrat" },
				),
				cancellingNote
					? "Votre facture corrigée est jointe à ce message, avec l’avoir qui annule la précédente."
					: `Votre facture est jointe à ce message.${isOne ? "" : " Elle a une ligne par extrait."}`,
				"Aucun abonnement : il s’agit d’un achat unique, et vos données bancaires ne sont pas conservées.",
				...listConsents(order),
				...presentTerms(order, baseUrl, terms),
				{ heading: "Annulation et rétractation" },
				...explainCancellation(orders),
				{ link: "Se rétracter en ligne", url: absoluteUrl(baseUrl, "/retractation") },
				{ heading: "Réclamation" },
				`Écrivez-nous à ${shop.email} : nous répondons sous ${replyTime}. Si notre réponse ne vous satisfait pas et que vous êtes un consommateur, vous pouvez saisir gratuitement le médiateur : ${shop.mediator}.`,
			],
		};
	},
});

/** Sends the invoice that replaces another, and the credit note that cancels that one. */
export const invoiceCorrected = defineOrderEmail({
	name: "invoice-corrected",
	to: "customer",
	label: "Facture corrigée",
	async load(context, { mail, order }) {
		const { db } = context;
		const invoice = await findMailDocument(db, mail);
		const issued = invoice && (await findInvoiceOfDocument(db, invoice.id));
		return {
			...(await loadPurchase(context, order)),
			invoice,
			invoiceNumber: issued?.number ?? null,
			cancellingNote: await findCancellingNote(db, invoice),
		};
	},
	attaches: ({ invoice, cancellingNote }) => [invoice, cancellingNote],
	compose(order, { orders, invoiceNumber, ...data }) {
		const number = numberPurchase(order, orders);
		return {
			subject: `Facture corrigée${invoiceNumber ? ` ${invoiceNumber}` : ""} : ${beginSubject(orders)} — ${nameOrder(orders)} ${number}`,
			preheader: "Votre nouvelle facture et l’avoir qui annule l’ancienne sont joints.",
			title: "Votre facture est corrigée",
			blocks: [
				greetCustomer(order),
				"Votre facture est corrigée. La nouvelle est jointe à ce message, avec l’avoir qui annule l’ancienne.",
				{
					descriptionList: [
						...(invoiceNumber ? ([["Nouvelle facture", invoiceNumber]] as const) : []),
						...(orders.length === 1 ? identifyOrder(order) : ([["Numéro de commande groupée", number], ...countServices(orders)] as const)),
					],
				},
				"Le montant est le même : rien n’est débité ni remboursé. Transmettez les deux documents à votre comptable s’il a déjà reçu l’ancienne facture.",
				linkTracking(data),
				`Vous n’avez pas demandé cette correction ? Écrivez-nous à ${data.shop.email}.`,
			],
		};
	},
});

const deadlineLabel = ({ product_code }: Order) => (isPosted(product_code) ? "Posté au plus tard" : "Livré au plus tard");

/** « KBIS Express pour DANONE. Livré au plus tard : lundi 23 novembre 2026 à 11 h 05. » */
function summarise(order: Order): string {
	const what = `${services[order.product_code].name} pour ${nameInSubject(order)}.`;
	return order.promised_at ? `${what} ${deadlineLabel(order)} : ${formatPromisedInstant(order.promised_at)}.` : what;
}

function listOrderRows(order: Order): (readonly [string, string])[] {
	const { name, description, deliveryMethod, delivery } = services[order.product_code];
	const method = delivery.replace(/^P/, "p");
	const recipient = findRecipient(order);
	const emails = `${order.customer_email}${recipient ? ` et à ${recipient}` : ""}`;
	return [
		...identifyOrder(order),
		["Service", `${name}. ${description}`],
		...(deliveryMethod === "email"
			? ([["Livraison", `${method}, à ${emails}`]] as const)
			: ([
					["Livraison", method],
					["Adresse de livraison", formatLetterAddress(order)],
				] as const)),
		...(order.promised_at ? ([[deadlineLabel(order), formatPromisedInstant(order.promised_at)]] as const) : []),
		...(deliveryMethod === "postal" ? listArrival(order) : []),
	];
}

/** When a letter arrives that is posted at the last moment. */
function listArrival(letter: Order): (readonly [string, string])[] {
	const days = letter.promised_at && formatArrival(letter.promised_at, getLetterAddress(letter).postalCode);
	return days ? [["Arrivée prévue", days]] : [];
}

/** @param first its number is that of the purchase. */
function listPurchaseRows(first: Order, orders: readonly Order[]): (readonly [string, string])[] {
	const [byEmail, ...pdfs] = orders.filter(({ product_code }) => !isPosted(product_code));
	const [letter, ...letters] = orders.filter(({ product_code }) => isPosted(product_code));
	const recipient = byEmail && findRecipient(byEmail);
	const emails = byEmail && `${byEmail.customer_email}${recipient ? ` et à ${recipient}` : ""}`;
	const [label, sent] = letters.length > 0 ? ["Courriers", "envoyés"] : ["Courrier", "envoyé"];
	return [
		["Numéro de commande groupée", first.order_number],
		...groupByService(orders).map(({ service, ofService }) => [service.name, describePromise(ofService)] as const),
		...(emails
			? ([[pdfs.length > 0 ? "Livraison des PDF" : "Livraison du PDF", `sur la page de suivi, annoncée par e-mail à ${emails}`]] as const)
			: []),
		...(letter
			? ([[label, `${sent} en suivi`], ["Adresse de livraison", formatLetterAddress(letter)], ...listArrival(letter)] as const)
			: []),
	];
}

/** « 38 extraits, livrés au plus tard lundi 23 novembre 2026 à 12 h »; lines of a list may have later hours than its first ones. */
function describePromise(orders: readonly Order[]): string {
	const count = formatExtractCount(orders.length);
	const hours = orders.flatMap(({ promised_at }) => promised_at?.getTime() ?? []);
	const [one] = orders;
	if (one === undefined || hours.length === 0) return count;
	const verb = `${isPosted(one.product_code) ? "posté" : "livré"}${orders.length > 1 ? "s" : ""}`;
	const [first, last] = [Math.min(...hours), Math.max(...hours)].map((hour) => formatInstant(new Date(hour)));
	return `${count}, ${verb} au plus tard ${first}${first === last ? "" : ` pour les premiers, ${last} pour le dernier`}${inParis}`;
}

// what a confirmation repeats of the contract (docs/rules.md, R35)

/** The buyer of the first invoice. A corrected one may name another, and is attached. */
const formatInvoicedCustomer = ({ billing_company, first_name, last_name, address, postal_code, city }: Order): string =>
	formatAddress({ name: billing_company ?? `${first_name} ${last_name}`, street: address, postalCode: postal_code, city });

/** The consents with the version of their text and their instant; nothing when no box was shown. */
function listConsents(order: Order): EmailBlock[] {
	const version = describeVersion(order.consent_text_version ?? "");
	const accepted = order.terms_accepted_at && formatInstant(order.terms_accepted_at);
	const waived = order.withdrawal_waived_at && formatInstant(order.withdrawal_waived_at);
	return [
		...when(accepted || waived, { heading: "Ce que vous avez accepté" }),
		...when(accepted, `Vous avez accepté les conditions générales de vente (${version}) le ${accepted}.`),
		...when(
			waived,
			`Vous avez demandé l’exécution immédiate le ${waived} et reconnu la perte de votre droit de rétractation (${version}).`,
		),
	];
}

/** « version du 21 novembre 2026 ». A caller of the API may send a version that is no date. */
function describeVersion(version: string): string {
	const day = new Date(version);
	const isDay = /^\d{4}-\d\d-\d\d$/.test(version) && !Number.isNaN(day.getTime());
	return isDay ? `version du ${formatLongDay(day)}` : `version ${version}`;
}

/**
 * The terms, which are attached as they were accepted: a link may lead to another version later (C. conso. art. L221-13).
 * @param terms null for an order of which no version of them is kept.
 */
function presentTerms({ terms_accepted_at }: Order, baseUrl: string, terms: TermsFile | null): EmailBlock[] {
	if (terms === null) return [{ link: "Lire nos conditions générales", url: absoluteUrl(baseUrl, "/cgv") }];
	const which = terms_accepted_at
		? "Les conditions générales que vous avez acceptées sont jointes"
		: "Nos conditions générales sont jointes";
	return [
		`${which} à ce message, avec le modèle de formulaire de rétractation et le rappel de vos garanties légales. Conservez ce fichier.`,
		{ link: "Télécharger ces conditions générales", url: absoluteUrl(baseUrl, "/cgv/version/:version", { version: terms.sha256 }) },
	];
}

/** The rights are those of each order; they differ between a PDF and a letter. */
function explainCancellation(orders: readonly Order[]): EmailBlock[] {
	const examples = [false, true].flatMap((posted) => orders.find(({ product_code }) => isPosted(product_code) === posted) ?? []);
	const [example] = examples;
	const isMixed = examples.length > 1;
	const period = cancellableWhile[isMixed || !example ? "any" : services[example.product_code].deliveryMethod];
	return [
		orders.length === 1
			? `Vous pouvez annuler ${period}, depuis la page de suivi : vous serez remboursé immédiatement de la totalité.`
			: `${period.replace(/^tant que l(’|e )/, "Tant qu’un ")}, vous pouvez l’annuler depuis sa page : il vous est remboursé aussitôt.`,
		...new Set(examples.map((order) => explainWithdrawalRight(order, isMixed))),
	];
}

/** @param isMixed the purchase has both letters and PDFs: each sentence says of which it is. */
function explainWithdrawalRight(order: Order, isMixed: boolean): string {
	const posted = isPosted(order.product_code);
	const you = isMixed ? `Pour les extraits envoyés par ${posted ? "courrier" : "e-mail"}, vous` : "Vous";
	if (order.withdrawal_waived_at)
		return `${you} perdez votre droit de rétractation, comme vous l’avez reconnu, ${executedWhen[services[order.product_code].deliveryMethod]} : notre service est alors pleinement exécuté (C. conso. art. L221-28, 1°).`;
	const from = posted ? "la réception du courrier" : "la conclusion du contrat";
	return `${you} avez quatorze jours pour vous rétracter, à compter de ${from}, sans motif ni frais. Utilisez la page ci-dessous, ou écrivez-nous clairement votre décision, par e-mail ou par courrier.`;
}

/** The invoice that is in force when the confirmation leaves. @throws while that of an unsent one has no PDF: the job tries again. */
async function findInvoiceInForce(db: Database, { mail, order }: EmailSubject): Promise<StoredDocument | null> {
	const invoice = mail.document_id === null ? null : await findInvoiceOfPurchase(db, order.purchase_id);
	const hasLeft = (mail.sent_at ?? mail.bounced_at) !== null;
	// one that has left is composed again with its own invoice while a corrected one has no PDF
	if (invoice === null || (invoice.document_id === null && hasLeft)) return findMailDocument(db, mail);
	if (invoice.document_id === null) throw new Error(`the invoice ${invoice.number} has no PDF yet`);
	return findDocument(db, invoice.document_id);
}

/** The credit note that cancels the invoice in whose place this one is; null for the first invoice of an order. */
async function findCancellingNote(db: Database, document: StoredDocument | null): Promise<StoredDocument | null> {
	const invoice = document && (await findInvoiceOfDocument(db, document.id));
	const replaced = invoice?.replaces;
	if (!invoice || !replaced) return null;
	const invoices = await listInvoicesOfPurchase(db, invoice.order_id);
	const creditNote = invoices.find(({ corrects, refund_id }) => corrects === replaced && refund_id === null);
	return creditNote?.document_id ? findDocument(db, creditNote.document_id) : null;
}

/** Whether the registry was asked for the extracts; null when none is awaited any more. */
async function findRequestSentence({ db, environment, now }: StorageContext, orders: readonly Order[]): Promise<string | null> {
	const extracts = await listExtracts(
		db,
		orders.map(({ id }) => id),
	);
	const base = { ...parseOpeningHours(environment.openingHours), isHoliday: isFrenchHoliday };
	// as the pages: the demo's issuer asks at any hour
	const nextOpening = environment.issuer === "specimen" ? null : findNextOpening(now(), toCalendar(base, await readSettings(db), now()));
	return describeRequests(orders, new Set(extracts.map(({ order_id }) => order_id)), nextOpening);
}

/** Whether the promise of a service of the purchase is later than the payment page may have shown. */
async function hasPromiseMoved(db: Database, orders: readonly Order[]): Promise<boolean> {
	for (const { id } of orders) {
		const paid = (await listEvents(db, id)).find(({ event_type }) => event_type === "paid");
		if (paid?.payload.promise_moved === true) return true;
	}
	return false;
}
