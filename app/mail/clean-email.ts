import { readLine } from "../ui/forms/text.ts";
import { joinAround, maxEmailLength, splitAddresses } from "./email-address.ts";

/**
 * Reads a field with an e-mail address, in browsers too. What is pasted around one certainly does not belong to it: signs, a label, the name
 * before an address in brackets, blanks beside @ and dots, invisible signs, the wide letters of other keyboards.
 * @returns the text as it was typed when it has no address, several, or words whose sense nobody knows.
 */
export function cleanEmail(value: unknown): string {
	const typed = readLine(value);
	const text = toPlainText(typed);
	const found = findAddress(text) ?? findAddress(joinAround(joinAround(text, "@"), "."));
	return found && isCertain(found) ? found.email : typed;
}

/** A text with the signs of ASCII for those that other keyboards and text programs put in their place. */
export const toPlainText = (typed: string): string =>
	typed
		.slice(0, 4 * maxEmailLength)
		// a key beside those for the first letters
		.replaceAll("²", " ")
		.normalize("NFKC")
		// U+202E stays: with it, the customer sees another address
		.replace(/(?!\u202e)\p{Cf}/gu, "")
		.replace(/[‘’]/g, "'")
		.replace(/[‐–]/g, "-")
		.replace(/。/g, ".")
		// of a link
		.replace(/^[^@]*%40[^@]*$/, decodeAt);

const decodeAt = (text: string) => text.replace("%40", "@");

/** The only address of a text, and what stands around it. */
export interface FoundAddress {
	email: string;
	before: string;
	after: string;
}

/** Finds the address of a text, which may have it several times: some programs fill it in twice. @returns null for none, and for several. */
export function findAddress(text: string): FoundAddress | null {
	const half = text.slice(0, text.length / 2);
	const once = half + half === text ? half : text;
	const emails = splitAddresses(once);
	const [email, last = email] = [emails[0], emails.at(-1)];
	if (!email || !last || new Set(emails.map((each) => each.toLowerCase())).size > 1) return null;
	return { email, before: once.slice(0, once.indexOf(email)), after: once.slice(once.lastIndexOf(last) + last.length) };
}

/** Also letters that nobody can read, that are no text, or that stand in another order than the customer sees. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}\p{Cc}\u202e\ufffd]/u.test(text);

/** What may end the words before an address. */
const labelWord = /(?<![\p{L}\p{N}])(?:mailto|smtp|https?|e?mail|courriel|m[ée]l|est)$/iu;

/** « 1. », « Adresse : », « E-mail », « mailto: »; not « jean: » in « jean:dupont@exemple.fr ». */
export function isLabel(before: string): boolean {
	const [signs] = /(?<![^\p{L}\p{N}])[^\p{L}\p{N}]*$/u.exec(before) ?? [""];
	const words = before.slice(0, before.length - signs.length);
	return !hasWords(before) || /\s:|:\s/.test(signs) || labelWord.test(words) || (/^\W*\d{1,3}$/.test(words) && /^[.)]\s/.test(signs));
}

/** Whether what stands around an address is certainly none of it: signs, a label, the query of a link, or brackets, whatever is outside of them. */
function isCertain({ before, after }: FoundAddress): boolean {
	if (/[<([]\s*(?:mailto:)?$/i.test(before) && /^\s*[>)\]]/.test(after)) return true;
	return isLabel(before) && (!hasWords(after) || after.startsWith("?"));
}
