import { checkEmail } from "../../mail/email-address.ts";
import { suggestEmail } from "../../mail/suggest-email.ts";
import type { FormState } from "./form-state.ts";
import type { OrderValues } from "./order-form.ts";

/** The payment provider refuses an address that the shop accepts. */
export const emailRefused = "Notre prestataire de paiement refuse cette adresse e-mail\u00a0: vérifiez-la, ou indiquez-en une autre";

const parameter = "refus";

/** The URL of a form to which the payment leads back: it says which field is wrong, and nothing of what was typed. */
export const toRefusedEmailUrl = (formUrl: string): string => `${formUrl}${formUrl.includes("?") ? "&" : "?"}${parameter}=email`;

/** What the page of such a URL begins with: the error, and what was probably meant. */
export function describeRefusedEmail(query: URLSearchParams, { email }: OrderValues): Partial<FormState> {
	if (query.get(parameter) !== "email") return {};
	const meant = suggestEmail(email);
	return { errors: { email: checkEmail(email) ?? emailRefused }, suggestions: meant === null ? {} : { email: meant } };
}
