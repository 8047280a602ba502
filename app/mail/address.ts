/** Non-space text, an at sign, a domain and a dot suffix (specification, section 5): the mail that arrives is the real check. */
export function isMailAddress(text: string): boolean {
	return text.length <= longestMailAddress && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}

/** RFC 3696, erratum 1690. */
export const longestMailAddress = 254;

/** @returns the sentence for a field that asks for an address, or undefined when it holds. */
export function checkMailAddress(text: string): string | undefined {
	if (text === "") return "L'adresse email est requise";
	return isMailAddress(text) ? undefined : "Format d'email invalide";
}
