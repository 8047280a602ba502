import { checkMailAddress } from "../mail/address.ts";

/** What the contact form holds, trimmed. */
export interface ContactMessage {
	name: string;
	email: string;
	message: string;
}

export const longestName = 200;
export const longestMessage = 5000;

/** @returns the sentence for each field that does not hold (specification, section 5; decision B3). */
export function checkMessage({ name, email, message }: ContactMessage): Partial<ContactMessage> {
	const sentences = {
		name: name === "" ? "Le nom est requis" : name.length > longestName ? "Ce nom est trop long." : undefined,
		email: checkMailAddress(email),
		message:
			message === ""
				? "Ce champ est obligatoire"
				: message.length > longestMessage
					? `Ce message est trop long : ${longestMessage} caractères au plus.`
					: undefined,
	};
	return Object.fromEntries(Object.entries(sentences).filter(([, sentence]) => sentence !== undefined));
}
