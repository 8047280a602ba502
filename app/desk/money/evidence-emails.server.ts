import { formatInstant } from "../../catalogue/instants.ts";
import { orderEmails } from "../../emails/order-emails.server.ts";
import { type LeftEmail, listLeftEmails, type ShownEmail, showOrderEmail } from "../../emails/sent-emails.server.ts";
import type { Order } from "../../orders/order.ts";
import type { Shop } from "../../shop.ts";

export interface EvidenceFile {
	name: string;
	content: Uint8Array;
}

export interface EvidenceEmail {
	/** Of its files, without their ending. */
	path: string;
	/** The text that left was not stored: the e-mail is composed from the present order. */
	isComposedAgain: boolean;
	/** When it was accepted, with its subject and its files, in lines. */
	description: string[];
	files: EvidenceFile[];
}

/**
 * The e-mails about an order that its customer's mail server accepted: HTML and text. Their links open nothing for the bank.
 * @param folder that of the order among others, with its slash; empty when there is only one.
 */
export async function listEvidenceEmails(shop: Shop, order: Order, folder: string): Promise<EvidenceEmail[]> {
	const found: EvidenceEmail[] = [];
	for (const left of await listLeftEmails(shop, order.id)) {
		const email = orderEmails[left.kind].to === "operator" ? null : await showOrderEmail(shop, order, left.id);
		if (email) found.push(toEvidence(left, email, `${folder}${String(found.length + 1).padStart(2, "0")}`));
	}
	return found;
}

function toEvidence({ kind, sentAt, bouncedAt }: LeftEmail, email: ShownEmail, position: string): EvidenceEmail {
	const stamp = sentAt.toISOString().slice(0, 16).replace(/[:T]/g, "-");
	const name = `${position}-${stamp}-${kind}${email.sent ? "" : "-recompose"}`;
	const path = `customer_communication/${name}`;
	const details = [
		`Objet\u00a0: ${email.subject}`,
		...(email.sent
			? [`Adresse\u00a0: ${email.sent.recipient ?? "effacée"}`]
			: ["Recomposé aujourd’hui\u00a0: texte d’origine non conservé"]),
		...(email.sent?.attachments ?? []).map(
			({ name: file, bytes, sha256 }) => `Pièce jointe\u00a0: ${file}, ${bytes} octets, empreinte SHA-256 ${sha256}`,
		),
	];
	const refused = bouncedAt ? `, revenu le ${formatInstant(bouncedAt)}` : "";
	const accepted = `${orderEmails[kind].label}\u00a0: accepté le ${formatInstant(sentAt)}${refused}`;
	return {
		path,
		isComposedAgain: email.sent === null,
		description: [accepted, ...details.map((line) => `  ${line}`), `  Fichier\u00a0: ${path}.html`],
		files: [
			{ name: `${path}.html`, content: Buffer.from(email.html) },
			{ name: `${path}.txt`, content: Buffer.from([accepted, ...details, "", email.text].join("\n")) },
		],
	};
}
