import { PassThrough, type Readable } from "node:stream";
import { formatInstant } from "../../catalogue/instants.ts";
import { formatEuros } from "../../catalogue/money.ts";
import { isPosted, services } from "../../catalogue/services.ts";
import { listDocuments, listOpenings, type StoredDocument } from "../../documents/documents.server.ts";
import { listThread, type Thread } from "../../messages/messages.server.ts";
import { isAddressOfCustomer } from "../../messages/reply-values.server.ts";
import { getDocumentFileName } from "../../order-emails/name-document.server.ts";
import type { Order } from "../../orders/order.ts";
import { listEvents } from "../../orders/orders.server.ts";
import { listPaymentsOfPurchase, listRefunds } from "../../refunds/refunds.server.ts";
import type { Shop } from "../../shop.ts";
import { describeEvent } from "../../tracking/event-labels.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { type EvidenceEmail, type EvidenceFile, listEvidenceEmails } from "./evidence-emails.server.ts";
import { describeDisputeReason, refundReasons, refundStates } from "./money-labels.ts";

/**
 * Streams the evidence about a disputed order as one archive: each file is named after the field of the provider's form that it answers
 * (docs.stripe.com/api/disputes/evidence_object).
 */
export async function createEvidenceZip(shop: Shop, order: Order): Promise<Readable> {
	const emails = await listEvidenceEmails(shop, order);
	const files = [
		...(await describeInTexts(shop, order, emails)),
		...emails.flatMap(({ files }) => files),
		...(await listPdfs(shop, order)),
	];
	const { ZipFile } = await import("yazl");
	const zip = new ZipFile();
	const mtime = shop.now();
	for (const { name, content } of files) zip.addBuffer(Buffer.from(content), name, { mtime, compress: !name.endsWith(".pdf") });
	zip.end();
	return (zip.outputStream as Readable).pipe(new PassThrough());
}

async function describeInTexts(shop: Shop, order: Order, emails: readonly EvidenceEmail[]): Promise<EvidenceFile[]> {
	return [
		{ name: "0-lisez-moi.txt", content: await describeDispute(shop, order, emails) },
		{ name: "product_description.txt", content: describeOrder(shop, order) },
		{ name: "access_activity_log.txt", content: await describeDelivery(shop, order, emails) },
		{ name: "refund_policy_disclosure.txt", content: describeConsents(shop, order) },
		{ name: "customer_communication.txt", content: await describeMessages(shop, order) },
	];
}

const toText = (...lines: (string | null | false | undefined)[]) =>
	Buffer.from(`${lines.filter((line) => typeof line === "string").join("\n")}\n`);

async function describeDispute({ db }: Shop, order: Order, emails: readonly EvidenceEmail[]): Promise<Uint8Array> {
	const payments = await listPaymentsOfPurchase(db, order.purchase_id);
	const refunds = await listRefunds(db, order.id);
	const composedAgain = emails.filter(({ isComposedAgain }) => isComposedAgain);
	return toText(
		`Dossier de la commande ${order.order_number}`,
		"",
		"Chaque fichier répond au champ du même nom de la contestation, sur les pages du prestataire de paiement.",
		"Relisez-les avant de les envoyer\u00a0: la banque les lit en entier.",
		"",
		...payments.map(
			({ id, dispute_status, dispute_reason, dispute_due_at }) =>
				`Paiement ${id}${dispute_status ? `\u00a0: contesté (${describeDisputeReason(dispute_reason)})${dispute_due_at ? `, répondre avant le ${formatInstant(dispute_due_at)}` : ""}` : ""}`,
		),
		...refunds.map(
			({ amount_cents, status, reason, requested_at }) =>
				`Remboursement de ${formatEuros(amount_cents)}, ${refundReasons[reason]}, demandé le ${formatInstant(requested_at)}\u00a0: ${refundStates[status].label.toLowerCase()}`,
		),
		"",
		"Les e-mails sont dans «\u00a0customer_communication\u00a0», tels qu’ils sont partis\u00a0; leurs liens personnels en sont retirés.",
		composedAgain.length > 0 &&
			"Le texte d’origine de ceux-ci n’a pas été conservé. Ils sont recomposés aujourd’hui, et la commande a pu changer depuis\u00a0:",
		...composedAgain.map(({ path }) => `  ${path}.html`),
	);
}

function describeOrder({ environment: { shop, baseUrl } }: Shop, order: Order): Uint8Array {
	const isLetter = isPosted(order.product_code);
	return toText(
		`${shop.name} obtient auprès du greffe l’extrait du registre du commerce d’une société, et le remet au client ${isLetter ? "par courrier" : "par e-mail"}.`,
		"",
		`Commande\u00a0: ${order.order_number}, passée le ${formatInstant(order.created_at)} sur ${baseUrl}`,
		`Service\u00a0: ${services[order.product_code].name}, ${formatEuros(order.price_cents)} TTC, payé une fois, sans abonnement`,
		`Société demandée\u00a0: ${order.company_name}, SIREN ${order.siren}`,
		`Client\u00a0: ${order.first_name} ${order.last_name}, ${order.customer_email}`,
		order.phone && `Téléphone\u00a0: ${order.phone}`,
		order.address && `Adresse de facturation\u00a0: ${order.address}, ${order.postal_code} ${order.city}`,
		order.delivery_email && `Second destinataire\u00a0: ${order.delivery_email}`,
		order.paid_at && `Payée le ${formatInstant(order.paid_at)}`,
		order.promised_at && `Promise pour le ${formatInstant(order.promised_at)}`,
		order.completed_at && `${isLetter ? "Postée" : "Livrée"} le ${formatInstant(order.completed_at)}`,
		order.tracking_number && `Numéro de suivi du courrier\u00a0: ${order.tracking_number}`,
	);
}

async function describeDelivery({ db, environment }: Shop, order: Order, emails: readonly EvidenceEmail[]): Promise<Uint8Array> {
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
		const sentence = describeEvent(event_type, payload);
		if (sentence) lines.push(`${formatInstant(created_at)}\u00a0: ${sentence}`);
	}
	return toText(...lines);
}

const documentLabels: Record<StoredDocument["doc_type"], string> = { kbis: "Extrait", invoice: "Facture", credit_note: "Avoir" };

function describeConsents({ environment: { baseUrl } }: Shop, order: Order): Uint8Array {
	const { terms_accepted_at: accepted, withdrawal_waived_at: waived, consent_text_version: version } = order;
	return toText(
		`Conditions générales de vente\u00a0: ${absoluteUrl(baseUrl, "/cgv")}`,
		`Version des textes acceptés\u00a0: ${version ?? "non enregistrée"}`,
		accepted ? `Conditions acceptées le ${formatInstant(accepted)}` : "Aucune case n’a été présentée\u00a0: commande passée par l’API.",
		waived &&
			`Exécution immédiate demandée, et perte du droit de rétractation à la livraison reconnue, le ${formatInstant(waived)} (C. conso. art. L221-28, 1°)`,
		"La confirmation de la commande, jointe, répète ces choix (C. conso. art. L221-13).",
	);
}

async function describeMessages({ db }: Shop, order: Order): Promise<Uint8Array> {
	const all = await listThread(db, order);
	// anybody can write an order's number into a form, and answer an e-mail that was passed on
	const threads = all
		.filter(({ email }) => isAddressOfCustomer(order, email))
		.map((thread) => ({
			...thread,
			messages: thread.messages.filter(({ from, author }) => from === "shop" || isAddressOfCustomer(order, author)),
		}));
	const count = (list: readonly Thread[]) => list.reduce((sum, { messages }) => sum + messages.length, 0);
	const leftOut = describeLeftOut(count(all) - count(threads));
	if (threads.length === 0) return toText("Le client n’a pas écrit à la boutique au sujet de cette commande.", leftOut);
	const lines = threads.flatMap(({ subject, messages }) => [
		`— ${subject} —`,
		...messages.flatMap(({ from, at, text }) => [
			"",
			`${from === "shop" ? "La boutique" : "Le client"}, ${formatInstant(at)}\u00a0:`,
			text,
		]),
		"",
	]);
	return toText(...lines, leftOut);
}

const describeLeftOut = (messages: number): string | null =>
	messages === 0 ? null : `Messages échangés avec une autre adresse que celle du client, non repris ici\u00a0: ${messages}.`;

/** The PDFs that are still stored. A lost one does not keep the others from the bank. */
async function listPdfs({ db, storage, log }: Shop, order: Order): Promise<EvidenceFile[]> {
	const files: EvidenceFile[] = [];
	for (const document of await listDocuments(db, order.id)) {
		if (document.purged_at !== null) continue;
		const folder = document.doc_type === "kbis" ? "service_documentation" : "receipt";
		try {
			files.push({
				name: `${folder}/${await getDocumentFileName(db, order, document)}`,
				content: await storage.get(document.storage_path),
			});
		} catch {
			log.warn({ order: order.id, document: document.id }, "a document is missing in the evidence of a dispute");
		}
	}
	return files;
}
