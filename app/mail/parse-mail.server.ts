import PostalMime, { type Address, addressParser, decodeWords, type Email } from "postal-mime";

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
	const begun = skipBlankLines(raw);
	const parse = async (bytes: Uint8Array) =>
		decodeHeaders(showHiddenText(await PostalMime.parse(bytes, { forceRfc822Attachments }), bytes));
	try {
		const mail = await parse(begun);
		if (hasLostLetters(mail)) return { mail: mapTexts(await parse(declareWindows1252(begun)), readLinesAsUtf8), isWhole: true };
		return { mail: mapTexts(mail, readAsUtf8), isWhole: true };
	} catch {
		return { mail: decodeHeaders(await PostalMime.parse(readPlainHeaders(raw))), isWhole: false };
	}
}

/** Some servers send blank lines, or the line of a mailbox file, before the first header. */
function skipBlankLines(raw: Uint8Array): Uint8Array {
	return raw.slice(raw.findIndex((byte) => ![9, 10, 13, 32].includes(byte)));
}

/**
 * Of an e-mail without text, a part of another or of no type is the text (RFC 2045, 5.2), else what stands before the declared parts; that
 * is the whole body if they are not there.
 */
function showHiddenText(mail: Email, raw: Uint8Array): Email {
	if (mail.text !== undefined || mail.html !== undefined) return mail;
	const part = mail.attachments.find(
		({ mimeType, filename, disposition }) => filename === null && disposition !== "attachment" && plainTypes.test(mimeType),
	);
	if (part !== undefined && typeof part.content !== "string")
		return { ...mail, text: readBytes(new Uint8Array(part.content)), attachments: mail.attachments.filter((each) => each !== part) };
	if (mail.attachments.length > 0) return mail;
	const [, boundary] = /\bboundary="?([^";]{1,70})/i.exec(getField(mail, "content-type")) ?? [];
	const [, body = ""] = readBytes(raw.subarray(0, maxBodyLength)).split(/\r?\n\r?\n(.*)$/s);
	const [text = ""] = `\n${body}`.split(`\n--${boundary}`);
	return { ...mail, text };
}

const getField = ({ headers }: Email, name: string): string => headers.find(({ key }) => key === name)?.value ?? "";

/** « text », « text/enriched », none at all; not what a program reads. */
const plainTypes = /^(?:[^/]*$|text\/(?!calendar|(?:x-)?vcard|rtf|rfc822))/;

/** The longest body that is read without its parts, in bytes. */
const maxBodyLength = 1_000_000;

/** The fields that say who wrote which e-mail; without those of its content, so that no part is looked for. */
function readPlainHeaders(raw: Uint8Array): string {
	const head = windows1252.decode(raw.subarray(0, maxHeadersLength));
	// a field begins at a line that does not begin with a blank (RFC 5322, 2.2.3)
	const fields = head.split(/\n(?![ \t])/);
	return fields.filter((field) => !/^content-/i.test(field)).join("\n");
}

// Letters. Many e-mails declare no character set, or a wrong one. Bytes that are UTF-8 are read as UTF-8, and others as windows-1252,
// which has a character for each byte, so that none is lost (WHATWG Encoding, 9.1).

const lost = "\ufffd";

const hasLostLetters = ({ text, html, subject, from }: Email): boolean =>
	[text, html, subject, from?.name, from?.address].some((each) => each?.includes(lost));

const mapTexts = (mail: Email, read: (text: string) => string): Email => ({
	...mail,
	...(mail.text !== undefined && { text: read(mail.text) }),
	...(mail.html !== undefined && { html: read(mail.html) }),
	...(mail.subject !== undefined && { subject: read(mail.subject) }),
	...(mail.from && { from: { ...mail.from, name: read(mail.from.name) } }),
});

/** « Lovelace, Ada <ada@exemple.fr> » is one mailbox: a comma without quotes parts no name from its address. */
function joinName(from: Address, raw: string): Address {
	if (from.address !== "") return from;
	const mailbox = addressParser(raw).find(({ address }) => address !== "");
	return mailbox === undefined ? from : { ...mailbox, name: withoutAddress(decodeWords(raw)) };
}

/** Encoded words whose bytes are not of their character set (RFC 2047) are read as windows-1252. */
function decodeHeaders(mail: Email): Email {
	const decode = (name: string, decoded: string) =>
		decoded.includes(lost) ? decodeWords(getField(mail, name).replace(/=\?[^?\s]{1,40}\?(?=[bq]\?)/gi, "=?windows-1252?")) : decoded;
	const { subject } = mail;
	const from = mail.from && joinName(mail.from, getField(mail, "from"));
	return {
		...mail,
		...(subject !== undefined && { subject: decode("subject", subject) }),
		...(from && { from: { ...from, name: withoutAddress(decode("from", from.name)) } }),
	};
}

/** « Ada <ada@exemple.fr> » is Ada. */
const withoutAddress = (mailbox: string): string => mailbox.replace(/<[^<@]*@[^<]*$/, "").trim();

const windows1252 = new TextDecoder("windows-1252");
const byteOf: ReadonlyMap<string, number> = new Map(
	Array.from({ length: 256 }, (_, byte) => [windows1252.decode(new Uint8Array([byte])), byte]),
);
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** Letters of UTF-8 beyond ASCII (RFC 3629, 4), without those that French capitals before a quotation mark look like (U+0180 to U+037F: « É» »). */
const utf8Letters =
	/[\xc2-\xc5\xce-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|\xed[\x80-\x9f]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]|\xf4[\x80-\x8f][\x80-\xbf]|[\xf1-\xf3][\x80-\xbf]{2})[\x80-\xbf]/g;
/** Stretches of letters, and the bytes between them. */
const stretches = new RegExp(`(?:[\\0-\\x7f]|${utf8Letters.source}){1,10000}|[\\x80-\\xff]`, "g");
/** So many letters for each byte that belongs to none, where a text was cut or changed on its way. */
const lettersPerFault = 8;

const readBytes = (bytes: Uint8Array): string => readAsUtf8(windows1252.decode(bytes));

/** Reads a text that was decoded as windows-1252 as UTF-8, if its bytes are that. */
function readAsUtf8(text: string): string {
	if (!/[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u2122]/.test(text)) return text;
	const codes = Array.from(text, (letter) => byteOf.get(letter));
	if (codes.includes(undefined)) return text;
	const bytes = Buffer.from(codes as number[]);
	const source = bytes.toString("latin1");
	const letters = source.split(utf8Letters).length - 1;
	const faults = source.replace(utf8Letters, "").replace(/[^\x80-\xff]/g, "").length;
	if (letters < Math.max(1, lettersPerFault * faults)) return text;
	return source.replace(stretches, (part) => (/^[\x80-\xff]$/.test(part) ? windows1252 : strictUtf8).decode(Buffer.from(part, "latin1")));
}

/** The same line by line, for parts of which some are UTF-8. */
function readLinesAsUtf8(text: string): string {
	const whole = readAsUtf8(text);
	return whole === text ? text.split("\n").map(readAsUtf8).join("\n") : whole;
}

/** The same e-mail, whose headers are UTF-8, and whose parts in UTF-8 or without a character set are declared as windows-1252. */
function declareWindows1252(raw: Uint8Array): Uint8Array {
	const source = Buffer.from(raw).toString("latin1");
	const end = /\r?\n\r?\n/.exec(source)?.index ?? source.length;
	const head = declareCharsets(source.slice(0, end));
	const boundaries = new Set([...source.matchAll(/\bboundary="?([^"\r\n;]{1,70})/gi)].map(([, boundary = ""]) => `--${boundary}`));
	const parts = declareCharsets(source.slice(end)).replace(/^(--[^\r\n]{1,70})\r?\n\r?\n/gm, (whole, line: string) =>
		boundaries.has(line) ? `${line}\nContent-Type: ${undeclared}\n\n` : whole,
	);
	const type = /^content-type:/im.test(head) ? "" : `Content-Type: ${undeclared}\n`;
	const headBytes = Buffer.from(`${type}${head}`, "latin1");
	return Buffer.concat([toUtf8Bytes(headBytes), Buffer.from(parts, "latin1")]);
}

const undeclared = "text/plain; charset=windows-1252";

const declareCharsets = (source: string): string =>
	source
		.replace(/\bcharset\s{0,9}=\s{0,9}(?:"?(?:utf-?8|x?-?unknown[\w-]{0,20}|default|binary)\b"?|""|(?=[;\r\n]))/gi, "charset=windows-1252")
		.replace(/^(content-type:[ \t]{0,9}text\/(?:plain|html))[ \t]{0,9};?[ \t]{0,9}(?=\r?$)(?!\r?\n[ \t])/gim, "$1; charset=windows-1252");

function toUtf8Bytes(bytes: Uint8Array): Uint8Array {
	try {
		strictUtf8.decode(bytes);
		return bytes;
	} catch {
		return new TextEncoder().encode(windows1252.decode(bytes));
	}
}
