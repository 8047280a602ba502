import PostalMime, { type Email } from "postal-mime";

/** The headers of an e-mail that is read without its content, in bytes. */
const maxHeadersLength = 65_536;

/** `isWhole`: false when the content cannot be read, such as hundreds of nested parts; the headers are read alone. */
export interface ParsedMail {
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
