import { isLine } from "../ui/forms/text.ts";

/** RFC 3696, erratum 1690. */
export const maxEmailLength = 254;

/** One @ between a name without spaces and a domain with a dot, in any script: what may stand in an e-mail that comes in, or in an old order. */
const shape = /^[^\s@<>(),:;"\\[\]]+@(?:[\p{L}\p{M}\p{N}-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]+$/u;

/** Whether a text names a mailbox, even one to which the shop cannot write: to look for it. */
export const isEmailShape = (text: string): boolean => text.length <= maxEmailLength && isLine(text) && shape.test(text);

export const isAscii = (text: string): boolean => !/[^ -~]/.test(text);

/** A dot-string (RFC 5321, 4.1.2). Its other form, in quotes, is refused by providers and by most servers. */
const dotString = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/** In octets (RFC 5321, 4.5.3.1.1). */
const maxLocalPart = 64;

/**
 * Whether every later stage takes an address: the payment provider, and each mail server on its way (docs/rules.md, R36). Only an e-mail
 * proves that it exists.
 */
export function isEmail(text: string): boolean {
	const [localPart, domain] = splitEmail(text);
	const ascii = isEmailShape(text) ? toAsciiDomain(domain) : null;
	if (ascii === null || localPart.length > maxLocalPart || !dotString.test(localPart)) return false;
	return localPart.length + 1 + ascii.length <= maxEmailLength;
}

/** What stands before and after the last @. */
export function splitEmail(text: string): [localPart: string, domain: string] {
	const at = text.lastIndexOf("@");
	return [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
}

/** RFC 1035, 2.3.1, with the digit at the beginning that RFC 1123, 2.1 allows; no last label is a number. */
const asciiDomain = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/;

/** @param domain of an address that has the shape of one. @returns it as DNS knows it: « société.fr » is xn--socit-esab.fr; null for what is none. */
function toAsciiDomain(domain: string): string | null {
	// the parser of URLs knows the domains of other scripts (UTS 46)
	const url = `http://${domain}`;
	const ascii = !isAscii(domain) && URL.canParse(url) ? new URL(url).hostname : domain.toLowerCase();
	return asciiDomain.test(ascii) ? ascii : null;
}

/** The address for those who know ASCII alone, such as a payment provider. @param email a valid address. */
export function toAsciiEmail(email: string): string {
	const [localPart, domain] = splitEmail(email);
	return isAscii(domain) ? email : `${localPart}@${toAsciiDomain(domain) ?? domain}`;
}

/** Removes the blanks beside a sign. */
export const joinAround = (text: string, sign: string): string =>
	text
		.split(sign)
		.map((part) => part.trim())
		.join(sign);

/** The addresses that stand in a text. */
export const splitAddresses = (text: string): string[] =>
	text
		.split(/[\s,;:/|?<>()[\]{}"«»“”]/)
		// no address begins or ends with other signs
		.map((part) => part.replace(/^[^\p{L}\p{N}_+-]+/u, "").replace(/(?<![^\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}]+$/u, ""))
		.filter((part) => isEmailShape(part));

/** Letters with a stroke or of two parts, which no accent explains. */
const plainLetters: Readonly<Record<string, string>> = { œ: "oe", Œ: "OE", æ: "ae", Æ: "AE", ß: "ss", ø: "o", Ø: "O", ł: "l", Ł: "L" };

/** @returns a text without accents: « jérôme » is « jerome ». Letters of other scripts stay. */
export const stripAccents = (text: string): string =>
	Object.entries(plainLetters).reduce(
		(plain, [letter, letters]) => plain.replaceAll(letter, letters),
		text.normalize("NFD").replace(/\p{M}/gu, ""),
	);

/** @returns the sentence for an invalid address in a field, or undefined. The first two are agreed (docs/rules.md, R52). */
export function checkEmail(text: string): string | undefined {
	if (text === "") return "L'adresse email est requise";
	if (isEmail(text)) return undefined;
	if (splitAddresses(text).length > 1) return "Indiquez une seule adresse e-mail";
	const [localPart, domain] = splitEmail(text);
	if (!isEmailShape(text) || isAscii(localPart)) return "Format d'email invalide";
	const plain = `${stripAccents(localPart)}@${domain}`;
	return isEmail(plain)
		? `Écrivez cette adresse sans accents\u00a0: ${plain}`
		: "Indiquez une adresse e-mail en lettres de a à z, sans accents";
}

/** Masks an address so that only its owner recognises it: « a…@example.fr ». */
export function maskEmail(email: string): string {
	const at = email.lastIndexOf("@");
	const [first = "", ...others] = email.slice(0, at);
	return `${others.length > 0 ? first : ""}…${email.slice(at)}`;
}
