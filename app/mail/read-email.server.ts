import { domainToUnicode } from "node:url";
import { cleanEmail } from "./clean-email.ts";
import { isEmail, splitEmail } from "./email-address.ts";

/**
 * Reads a field with an e-mail address. Its domain is as its reader writes it: some browsers send « société.fr » as xn--socit-esab.fr.
 * @returns the text as it was typed when it is no address.
 */
export const readEmail = (value: unknown): string => toWrittenEmail(cleanEmail(value));

/** @returns the address with its domain as its reader writes it, if that is the same address. */
export function toWrittenEmail(email: string): string {
	const [localPart, domain] = splitEmail(email);
	if (!/xn--/i.test(domain)) return email;
	const written = `${localPart}@${domainToUnicode(domain)}`;
	return isEmail(written) ? written : email;
}
