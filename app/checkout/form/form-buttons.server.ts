import type { Database } from "../../../server/database/database.ts";
import type { CompanyPreview } from "../../companies/company.ts";
import { toPreview } from "../../companies/company-rows.ts";
import { findCompany } from "../../companies/find-company.server.ts";
import { suggestCompanies } from "../../companies/search/suggest-companies.server.ts";
import { parseSiren } from "../../companies/siren.ts";
import { suggestEmail } from "../../mail/suggest-email.ts";
import { toBilling } from "./billing.ts";
import type { OrderField, OrderValues } from "./order-form.ts";
import type { OrderForm } from "./order-forms.server.ts";

/** The companies found for a text without JavaScript. */
export interface CompanySearchResult {
	text: string;
	companies: CompanyPreview[];
}

export const tooManyForms = "Trop de formulaires ont été envoyés depuis votre connexion. Réessayez dans une heure.";

const emailFields = ["email", "deliveryEmail"] as const;

/** @param field that of the button « Oui, corriger », if it was pressed. @returns the values with what was meant in this field. */
export function correctEmail(values: OrderValues, field: FormDataEntryValue | null): OrderValues {
	const name = emailFields.find((email) => email === field);
	return name ? { ...values, [name]: suggestEmail(values[name]) ?? values[name] } : values;
}

/** Returns what was probably meant by each e-mail address whose domain looks mistyped. */
export const suggestEmails = (values: OrderValues): Partial<Record<OrderField, string>> =>
	Object.fromEntries(emailFields.map((field) => [field, suggestEmail(values[field]) ?? undefined]));

/**
 * @param used the values without fields that do not count.
 * @returns the first e-mail address that looks mistyped, unless the customer was already asked about it.
 */
export function findDoubtfulEmail(used: OrderValues, checked: readonly FormDataEntryValue[]): OrderField | null {
	return emailFields.find((field) => suggestEmail(used[field]) !== null && !checked.includes(used[field])) ?? null;
}

/** What a button changes in the form, and what it found. */
type Pressed = Partial<OrderForm> & { found?: CompanySearchResult; billingFound?: CompanySearchResult };

/**
 * Handles a button that continues with the same form. Browsers without JavaScript have those that search for a company or change it, and
 * correct an e-mail address. @param subject what the button is about: a SIREN, a field.
 */
export async function answerButton(
	{ db, readDb }: { db: Database; readDb: Database },
	form: FormData,
	{ content: { values, lines }, intent, subject }: { content: OrderForm; intent: string; subject: string },
): Promise<Pressed> {
	const search = async (field: string) => {
		const text = String(form.get(field) ?? "").slice(0, 200);
		return { text, companies: await suggestCompanies(readDb, text) };
	};
	const bill = (company: CompanyPreview) => ({ values: { ...values, ...toBilling(company), billTo: "other" } });
	const choose = (company: string) => ({ lines: lines.map((line) => ({ ...line, company })) });
	// a single result needs no choice
	const getOnly = ({ companies }: CompanySearchResult) => (companies.length === 1 ? companies[0] : undefined);
	switch (intent) {
		case "find-company": {
			const found = await search("companyQuery");
			const only = getOnly(found);
			return only && only.eligibility !== "none" ? choose(only.siren) : { ...choose(""), found };
		}
		case "change-company":
			return choose("");
		case "find-billing-company": {
			const billingFound = await search("billingQuery");
			const only = getOnly(billingFound);
			return only ? bill(only) : { billingFound };
		}
		case "bill": {
			const siren = parseSiren(subject);
			const chosen = siren && (await findCompany(db, siren));
			return chosen ? bill(toPreview(chosen)) : {};
		}
		case "correct-email":
			return { values: correctEmail(values, subject) };
		default:
			return {};
	}
}
