import { isLine } from "../ui/forms/text.ts";

/** Allows accented letters on both sides (RFC 6531); refuses characters that a header would have to quote (RFC 5322, 3.2.3). */
const pattern = /^[^\s@<>(),:;"\\[\]]+@(?:[\p{L}\p{M}\p{N}-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]+$/u;

/** Accepts one @ between a name without spaces and a domain with a dot (docs/rules.md, R36). Only an e-mail proves the address. */
export function isEmail(text: string): boolean {
	return text.length <= maxEmailLength && isLine(text) && pattern.test(text);
}

/** RFC 3696, erratum 1690. */
export const maxEmailLength = 254;

/** @returns the sentence for an invalid address in a field, or undefined. */
export function checkEmail(text: string): string | undefined {
	if (text === "") return "L'adresse email est requise";
	return isEmail(text) ? undefined : "Format d'email invalide";
}

/** Masks an address so that only its owner recognises it: « a…@example.fr ». */
export function maskEmail(email: string): string {
	const at = email.lastIndexOf("@");
	const [first = "", ...others] = email.slice(0, at);
	return `${others.length > 0 ? first : ""}…${email.slice(at)}`;
}
