import { formatInstant } from "../../catalogue/instants.ts";
import { formatEuros } from "../../catalogue/money.ts";
import { isPosted, services } from "../../catalogue/services.ts";
import { describeEvent } from "../../customer/tracking/event-labels.ts";
import { isAddressOfCustomer } from "../../emails/messages/reply-values.server.ts";
import { listThread, type Thread } from "../../emails/messages/thread.server.ts";
import { listDocuments, listOpenings, type StoredDocument } from "../../orders/documents/documents.store.server.ts";
import { toPublicPayload } from "../../orders/event-payloads.ts";
import { type Order, sumPrices } from "../../orders/order.ts";
import { listEvents } from "../../orders/orders.store.server.ts";
import { listPaymentsOfPurchase, listRefunds } from "../../orders/refunds/refunds.store.server.ts";
import type { Shop } from "../../shop.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import type { EvidenceEmail, EvidenceFile } from "./evidence-emails.server.ts";
import { describeDisputeReason, refundReasons, refundStates } from "./money-labels.ts";

/** An order of the disputed purchase, with its e-mails. */
export interface EvidenceLine {
	order: Order;
	emails: EvidenceEmail[];
}

/** At least one: the first is the order that names the purchase. */
export type EvidenceLines = [EvidenceLine, ...EvidenceLine[]];

/** The texts about a disputed purchase. Of one with several orders, each text has a part for each of them. */
export async function describeInTexts(shop: Shop, lines: EvidenceLines): Promise<EvidenceFile[]> {
	return [
		{ name: "0-lisez-moi.txt", content: await describeDispute(shop, lines) },
		{ name: "product_description.txt", content: describeProducts(shop, lines) },
		{ name: "access_activity_log.txt", content: await describeDeliveries(shop, lines) },
		{ name: "refund_policy_disclosure.txt", content: describeConsents(shop, lines[0].order) },
		{ name: "customer_communication.txt", content: await describeMessages(shop, lines) },
	];
}

type Text = (string | null | false | undefined)[];

const toText = (...lines: Text) => Buffer.from(`${lines.filter((line) => typeof line === "string").join("\n")}\n`);

const nameLine = ({ length }: EvidenceLines, { order_number, company_name, purchase_line }: Order) =>
	`Ligne ${purchase_line} sur ${length}\u00a0: ${order_number}, ${company_name}`;

async function describeDispute({ db }: Shop, lines: EvidenceLines): Promise<Uint8Array> {
	const [{ order: first }] = lines;
	const payments = await listPaymentsOfPurchase(db, first.purchase_id);
	const refunds = [];
	for (const { order } of lines)
		for (const refund of await listRefunds(db, order.id))
			refunds.push({ ...refund, of: lines.length > 1 ? `${order.order_number}, ` : "" });
	const composedAgain = lines.flatMap(({ emails }) => emails.filter(({ isComposedAgain }) => isComposedAgain));
	return toText(
		lines.length > 1
			? `Dossier de la commande groupée ${first.order_number}\u00a0: ${lines.length} commandes, payées en une fois`
			: `Dossier de la commande ${first.order_number}`,
		"",
		"Chaque fichier répond au champ du même nom de la contestation, sur les pages du prestataire de paiement.",
		"Relisez-les avant de les envoyer\u00a0: la banque les lit en entier.",
		"",
		...payments.map(
			({ id, dispute_status, dispute_reason, dispute_due_at }) =>
				`Paiement ${id}${dispute_status ? `\u00a0: contesté (${describeDisputeReason(dispute_reason)})${dispute_due_at ? `, répondre avant le ${formatInstant(dispute_due_at)}` : ""}` : ""}`,
		),
		...refunds.map(
			({ of, amount_cents, status, reason, requested_at }) =>
				`${of}Remboursement de ${formatEuros(amount_cents)}, ${refundReasons[reason]}, demandé le ${formatInstant(requested_at)}\u00a0: ${refundStates[status].label.toLowerCase()}`,
		),
		"",
		"Les e-mails sont dans «\u00a0customer_communication\u00a0», tels qu’ils sont partis\u00a0; leurs liens personnels en sont retirés.",
		composedAgain.length > 0 &&
			"Le texte d’origine de ceux-ci n’a pas été conservé. Ils sont recomposés aujourd’hui, et la commande a pu changer depuis\u00a0:",
		...composedAgain.map(({ path }) => `  ${path}.html`),
	);
}

function describeProducts({ environment: { shop, baseUrl } }: Shop, lines: EvidenceLines): Uint8Array {
	const [{ order: first }] = lines;
	const orders = lines.map(({ order }) => order);
	const how = [...new Set(orders.map(({ product_code }) => (isPosted(product_code) ? "par courrier" : "par e-mail")))];
	const customer: Text = [
		`Client\u00a0: ${first.first_name} ${first.last_name}, ${first.customer_email}`,
		first.phone && `Téléphone\u00a0: ${first.phone}`,
		first.address && `Adresse de facturation\u00a0: ${first.address}, ${first.postal_code} ${first.city}`,
	];
	const placed = `passée le ${formatInstant(first.created_at)} sur ${baseUrl}`;
	const paid = first.paid_at && `Payée le ${formatInstant(first.paid_at)}`;
	const intro = `${shop.name} obtient auprès du greffe l’extrait du registre du commerce d’une société, et le remet au client ${how.join(" ou ")}.`;
	if (lines.length === 1)
		return toText(
			...[intro, "", `Commande\u00a0: ${first.order_number}, ${placed}`],
			...describeService(first),
			...customer,
			...[describeRecipient(first), paid],
			...describeDates(first),
		);
	return toText(
		...[intro, "", `Commande groupée\u00a0: ${first.order_number}, ${lines.length} commandes, ${placed}`],
		`Prix\u00a0: ${formatEuros(sumPrices(orders))} TTC, payé une fois, sans abonnement`,
		...[...customer, paid],
		...orders.flatMap((order) => [
			...["", nameLine(lines, order), order.reference && `Référence du client\u00a0: ${order.reference}`],
			...[...describeService(order), describeRecipient(order), ...describeDates(order)],
		]),
	);
}

const describeService = ({ product_code, price_cents, company_name, siren }: Order): Text => [
	`Service\u00a0: ${services[product_code].name}, ${formatEuros(price_cents)} TTC, payé une fois, sans abonnement`,
	`Société demandée\u00a0: ${company_name}, SIREN ${siren}`,
];

const describeRecipient = ({ delivery_email }: Order) => delivery_email && `Second destinataire\u00a0: ${delivery_email}`;

const describeDates = ({ product_code, promised_at, completed_at, tracking_number }: Order): Text => [
	promised_at && `Promise pour le ${formatInstant(promised_at)}`,
	completed_at && `${isPosted(product_code) ? "Postée" : "Livrée"} le ${formatInstant(completed_at)}`,
	tracking_number && `Numéro de suivi du courrier\u00a0: ${tracking_number}`,
];

async function describeDeliveries(shop: Shop, lines: EvidenceLines): Promise<Uint8Array> {
	const text: string[] = [];
	for (const line of lines) {
		if (lines.length > 1) text.push(...(text.length > 0 ? [""] : []), `— ${nameLine(lines, line.order)} —`, "");
		text.push(...(await describeDelivery(shop, line)));
	}
	return toText(...text);
}

async function describeDelivery({ db, environment }: Shop, { order, emails }: EvidenceLine): Promise<string[]> {
	const lines: string[] = ["Documents remis au client, et leurs ouvertures", ""];
	for (const document of await listDocuments(db, order.id)) {
		lines.push(
			`${documentLabels[document.doc_type]} du ${formatInstant(document.created_at)}, ${document.bytes} octets`,
			`  Empreinte SHA-256\u00a0: ${document.sha256}`,
		);
		if (document.doc_type === "kbis")
			lines.push(`  Vérification publique\u00a0: ${absoluteUrl(environment.baseUrl, "/verifier/:document", { document: document.id })}`);
		for (const { first_at, last_at, count } of await listOpenings(db, document.id))
			lines.push(
				`  Ouvert ${count === 1 ? `le ${formatInstant(first_at)}` : `${count} fois, du ${formatInstant(first_at)} au ${formatInstant(last_at)}`}`,
			);
	}
	lines.push("", "E-mails acceptés par le serveur du client", "");
	for (const { description } of emails) lines.push(...description);
	lines.push("", "Historique de la commande", "");
	for (const { event_type, payload, created_at } of await listEvents(db, order.id)) {
		const sentence = describeEvent(event_type, toPublicPayload(event_type, payload));
		if (sentence) lines.push(`${formatInstant(created_at)}\u00a0: ${sentence}`);
	}
	return lines;
}

const documentLabels: Record<StoredDocument["doc_type"], string> = { kbis: "Extrait", invoice: "Facture", credit_note: "Avoir" };

function describeConsents({ environment: { baseUrl } }: Shop, order: Order): Uint8Array {
	const { terms_accepted_at: accepted, withdrawal_waived_at: waived, consent_text_version: version, terms_sha256: terms } = order;
	const url = terms ? absoluteUrl(baseUrl, "/cgv/version/:version", { version: terms }) : absoluteUrl(baseUrl, "/cgv");
	return toText(
		`Conditions générales de vente\u00a0: ${url}`,
		`Version des textes acceptés\u00a0: ${version ?? "non enregistrée"}`,
		accepted ? `Conditions acceptées le ${formatInstant(accepted)}` : "Aucune case n’a été présentée\u00a0: commande passée par l’API.",
		waived &&
			`Exécution immédiate demandée, et perte du droit de rétractation reconnue, le ${formatInstant(waived)} (C. conso. art. L221-28, 1°)`,
		"La confirmation de la commande, jointe, répète ces choix (C. conso. art. L221-13).",
	);
}

async function describeMessages({ db }: Shop, lines: EvidenceLines): Promise<Uint8Array> {
	const all: Thread[] = [];
	const threads: Thread[] = [];
	for (const { order } of lines) {
		const found = await listThread(db, order);
		all.push(...found);
		// anybody can write an order's number into a form, and answer an e-mail that was passed on
		for (const thread of found.filter(({ email }) => isAddressOfCustomer(order, email)))
			threads.push({
				...thread,
				messages: thread.messages.filter(({ from, author }) => from === "shop" || isAddressOfCustomer(order, author)),
			});
	}
	const count = (list: readonly Thread[]) => list.reduce((sum, { messages }) => sum + messages.length, 0);
	const leftOut = describeLeftOut(count(all) - count(threads));
	if (threads.length === 0) return toText("Le client n’a pas écrit à la boutique au sujet de cette commande.", leftOut);
	const text = threads.flatMap(({ subject, messages }) => [
		`— ${subject} —`,
		...messages.flatMap(({ from, at, text }) => [
			"",
			`${from === "shop" ? "La boutique" : "Le client"}, ${formatInstant(at)}\u00a0:`,
			text,
		]),
		"",
	]);
	return toText(...text, leftOut);
}

const describeLeftOut = (messages: number): string | null =>
	messages === 0 ? null : `Messages échangés avec une autre adresse que celle du client, non repris ici\u00a0: ${messages}.`;
