import { isLine } from "../forms/text.ts";

/** Letters may be accented on both sides (RFC 6531); what a header would have to quote is refused (RFC 5322, 3.2.3). */
const form = /^[^\s@<>(),:;"\\[\]]+@(?:[\p{L}\p{M}\p{N}-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]+$/u;

/** One @ between a name without spaces and a domain with a dot (docs/rules.md, R36): the mail that arrives is the real check. */
export function isEmail(text: string): boolean {
	return text.length <= longestEmail && isLine(text) && form.test(text);
}

/** RFC 3696, erratum 1690. */
export const longestEmail = 254;

/** @returns the sentence for a field that asks for an address, or undefined when it holds. */
export function checkEmail(text: string): string | undefined {
	if (text === "") return "L'adresse email est requise";
	return isEmail(text) ? undefined : "Format d'email invalide";
}
