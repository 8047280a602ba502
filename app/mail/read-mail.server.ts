import type { Address, Email } from "postal-mime";
import { hideCardNumbers } from "../ui/forms/card-numbers.ts";
import { cleanLine, readLines } from "../ui/forms/text.ts";
import { isAutomatic, isUnattended } from "./automatic-signs.ts";
import { toText } from "./html-text.server.ts";
import { normalizeEmail } from "./normalize-email.ts";
import { parseMail } from "./parse-mail.server.ts";

/** An e-mail that came in, as texts that can be stored and shown. */
export interface ReceivedMail {
	/** Between the angle brackets; null when the e-mail has none. */
	messageId: string | null;
	/** The e-mails that it answers, newest last, between the angle brackets. */
	references: string[];
	/** Null when no field names a sender. */
	from: string | null;
	name: string;
	/** The other address to which the answer goes (RFC 5322, 3.6.2); null: to the sender. */
	replyTo: string | null;
	subject: string;
	/** Null when the content cannot be read. */
	text: string | null;
	attachments: { name: string; bytes: number }[];
	/** An absence notice, a mailing list or another e-mail that nobody wrote for the shop (RFC 3834). */
	isAutomatic: boolean;
}

const maxTextLength = 20_000;
const maxAttachments = 20;
const maxReferences = 100;

/** Reads an e-mail. */
export async function readMail(raw: Uint8Array): Promise<ReceivedMail> {
	const { mail, isWhole } = await parseMail(raw);
	const from = readSender(mail);
	const isOther = (address: string) => normalizeEmail(address) !== normalizeEmail(from ?? "") && !isUnattended(address);
	const [replyTo = null] = (mail.replyTo ?? []).flatMap(listMailboxes).filter(isOther);
	const subject = cleanLine(mail.subject ?? "", 200);
	return {
		messageId: readIds(mail.messageId)[0] ?? null,
		references: [...readIds(mail.references), ...readIds(mail.inReplyTo)].slice(-maxReferences),
		from,
		name: cleanLine(mail.from?.name ?? "", 200),
		replyTo,
		subject,
		text: isWhole ? cleanText(getText(mail)) : null,
		attachments: mail.attachments.slice(0, maxAttachments).map(({ filename, mimeType, content }) => ({
			name: cleanLine(filename ?? mimeType, 120),
			bytes: typeof content === "string" ? content.length : content.byteLength,
		})),
		isAutomatic: isAutomatic({ headers: mail.headers, subject, from: from ?? "", hasReplyTo: replyTo !== null }),
	};
}

/** The text of an e-mail: its plain text, or its HTML where that is blank, or says that HTML is to be read. */
export function getText({ text = "", html = "" }: Email): string {
	const isPlaceholder = text.trim() === "" || (text.length < maxPlaceholderLength && /\bhtml\b/i.test(text));
	return (isPlaceholder && toText(html)) || text;
}

const maxPlaceholderLength = 300;

/** From, or another field that names who wrote or sent the e-mail. */
function readSender({ from, sender, replyTo, returnPath }: Email): string | null {
	const fields = [from, sender, ...(replyTo ?? []), returnPath === undefined ? undefined : { name: "", address: returnPath }];
	const [first = null] = fields.flatMap((field) => (field === undefined ? [] : listMailboxes(field)));
	return first;
}

/** The addresses of a field; a local part is quoted only where it must be (RFC 5322, 3.4.1). */
export function listMailboxes(field: Address): string[] {
	const mailboxes = field.group ?? [field];
	return mailboxes.flatMap(({ address }) => {
		const [, local = "", domain = ""] = /^(?:mailto:)?(.{1,200})@([^\s@<>"]{1,253})$/i.exec(address) ?? [];
		const name = (/^"(.*)"$/.exec(local)?.[1] ?? local).replace(/\\(.)/g, "$1");
		if (name === "" || /[\p{C}]/u.test(name)) return [];
		return [`${/^[^\s@<>(),:;"\\[\]]+$/.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`}@${domain}`];
	});
}

/** The ids of a field, between angle brackets, which some programs leave out. */
export function readIds(field: string | undefined = ""): string[] {
	const ids = [...field.matchAll(/<([^<>\s]{1,250})>/g)].map(([, id = ""]) => id);
	return ids.length > 0 ? ids : field.split(/[\s,]+/).filter((word) => /^[^<>@]{1,125}@[^<>@]{1,125}$/.test(word));
}

const cleanText = (text: string): string =>
	hideCardNumbers(readLines(text))
		.replace(/[^\P{C}\n\t\u200d]|\ufffd/gu, "")
		.replace(/\n{3,}/g, "\n\n")
		.slice(0, maxTextLength)
		.trim();
