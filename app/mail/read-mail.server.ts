import PostalMime, { type Email } from "postal-mime";
import { cleanLine, readLines } from "../ui/forms/text.ts";
import { isEmail } from "./email-address.ts";

/** An e-mail that came in, as texts that can be stored and shown. */
export interface ReceivedMail {
	/** Between the angle brackets; null when the e-mail has none. */
	messageId: string | null;
	/** The e-mails that it answers, newest last, between the angle brackets. */
	references: string[];
	from: string;
	name: string;
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

/** Reads an e-mail. @returns null when it has no usable sender. */
export async function readMail(raw: Uint8Array): Promise<ReceivedMail | null> {
	const { mail, isWhole } = await parseMail(raw);
	const from = mail.from?.address?.trim() ?? "";
	if (!isEmail(from)) return null;
	const text = mail.text?.trim() ? mail.text : stripHtml(mail.html ?? "");
	return {
		messageId: readIds(mail.messageId)[0] ?? null,
		references: [...readIds(mail.references), ...readIds(mail.inReplyTo)].slice(-maxReferences),
		from,
		name: cleanLine(mail.from?.name ?? "", 200),
		subject: cleanLine(mail.subject ?? "", 200),
		text: isWhole ? cleanText(text) : null,
		attachments: mail.attachments.slice(0, maxAttachments).map(({ filename, mimeType, content }) => ({
			name: cleanLine(filename ?? mimeType, 120),
			bytes: typeof content === "string" ? content.length : content.byteLength,
		})),
		isAutomatic: isAutomatic(mail),
	};
}

const readIds = (header: string | undefined): string[] => [...(header ?? "").matchAll(/<([^<>\s]{1,250})>/g)].map(([, id = ""]) => id);

const cleanText = (text: string): string =>
	readLines(text)
		.replace(/[^\P{C}\n\t\u200d]|\ufffd/gu, "")
		.replace(/\n{3,}/g, "\n\n")
		.slice(0, maxTextLength)
		.trim();

const blockTag = /^\/?(br|p|div|tr|li|h[1-6]|blockquote)$/;
const hiddenTag = /^(style|script|head|title)$/;
const entities: Record<string, string> = {
	amp: "&",
	lt: "<",
	gt: ">",
	quot: '"',
	nbsp: " ",
	"#39": "'",
	eacute: "é",
	egrave: "è",
	agrave: "à",
};

/** The text of an e-mail that is HTML alone; it is only ever shown as text. One pass, because a sender may write any HTML. */
function stripHtml(html: string): string {
	let hidden: string | null = null;
	const [first = "", ...parts] = html.slice(0, 1_000_000).replace(/\s+/g, " ").split("<");
	const texts = parts.map((part) => {
		const end = part.indexOf(">");
		const tag = (/^\/?[a-z][a-z0-9]*/i.exec(part)?.[0] ?? "").toLowerCase();
		if (hidden !== null) {
			if (tag !== `/${hidden}`) return "";
			hidden = null;
		} else if (hiddenTag.test(tag)) hidden = tag;
		if (hidden !== null || end === -1) return "";
		return `${blockTag.test(tag) ? "\n" : ""}${part.slice(end + 1)}`;
	});
	return [first, ...texts]
		.join("")
		.replace(/&(\w{1,8}|#39);/g, (whole, name: string) => entities[name] ?? whole)
		.split("\n")
		.map((line) => line.trim())
		.join("\n");
}

function isAutomatic({ headers }: Email): boolean {
	const find = (name: string) =>
		headers
			.find(({ key }) => key === name)
			?.value.trim()
			.toLowerCase();
	const submitted = find("auto-submitted") ?? "no";
	if (submitted !== "no" || find("x-autoreply") !== undefined) return true;
	return ["bulk", "list", "junk"].includes(find("precedence") ?? "") || find("list-id") !== undefined;
}

/** The headers of an e-mail that is read without its content, in bytes. */
const maxHeadersLength = 65_536;

/** `isWhole`: false when the content cannot be read, such as hundreds of nested parts; the headers are read alone. */
interface ParsedMail {
	mail: Email;
	isWhole: boolean;
}

/**
 * Parses an e-mail from outside. It never throws: a mail server would send what throws again for days.
 * @param forceRfc822Attachments whether an e-mail inside is an attachment, as in a delivery report, and not a part of the text.
 */
export async function parseMail(raw: Uint8Array, { forceRfc822Attachments = false } = {}): Promise<ParsedMail> {
	try {
		return { mail: await PostalMime.parse(new Uint8Array(raw), { forceRfc822Attachments }), isWhole: true };
	} catch {
		return { mail: await PostalMime.parse(readPlainHeaders(raw)), isWhole: false };
	}
}

/** The fields that say who wrote which e-mail; without those of its content, so that no part is looked for. */
function readPlainHeaders(raw: Uint8Array): string {
	const head = new TextDecoder("latin1").decode(raw.subarray(0, maxHeadersLength));
	// a field begins at a line that does not begin with a blank (RFC 5322, 2.2.3)
	const fields = head.split(/\n(?![ \t])/);
	return fields.filter((field) => !/^content-/i.test(field)).join("\n");
}
