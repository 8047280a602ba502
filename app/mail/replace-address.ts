import type { EmailText } from "./pack-content.server.ts";

const erasedAddress = "[adresse effacée]";

/** Not a character of an address (RFC 5322, section 3.2.3), also as HTML. */
const beforeAddress = "(?<![\\w.!#$%&'*+/=?^`{|}~-]|&#x27;|&amp;)";

/** Replaces an address in an e-mail as it left, in any case of its letters, but not the end or the beginning of another one. */
export function replaceAddress({ subject, text, html }: EmailText, address: string): EmailText {
	const escapeHtml = (plain: string) => plain.replaceAll("&", "&amp;").replaceAll("'", "&#x27;");
	const escapePattern = (plain: string) => plain.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
	const replace = (content: string, searched: string) =>
		content.replace(new RegExp(`${beforeAddress}${escapePattern(searched)}(?![\\w-]|\\.\\w)`, "gi"), erasedAddress);
	return { subject: replace(subject, address), text: replace(text, address), html: replace(html, escapeHtml(address)) };
}
