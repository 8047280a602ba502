import type { Database } from "../../server/database/database.ts";
import { parseServiceCode, serviceCodes } from "../catalogue/services.ts";
import type { CompanyPreview } from "../companies/company.ts";
import { noExtractRefusal, unknownCompany } from "../companies/company-notices.ts";
import { toPreview } from "../companies/company-rows.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { suggestCompanies } from "../companies/search/suggest-companies.server.ts";
import { parseSiren } from "../companies/siren.ts";
import { suggestEmail } from "../forms/suggest-email.ts";
import type { Sales } from "../shop-settings/sales.ts";
import { describeRefusal } from "../shop-settings/sales-sentences.ts";
import { toBilling } from "./billing.ts";
import { correctionField } from "./email-correction.ts";
import { toSentLine } from "./form-line.ts";
import { checkOwnForm, type OrderErrors, type OrderField, type OrderValues, readOrderValues } from "./order-form.ts";
import type { OrderForm } from "./order-forms.server.ts";
import { checkOwnCompany, clearUnusedOfPurchase } from "./purchase-values.ts";

/** The companies found for a text without JavaScript. */
export interface CompanySearchResult {
	text: string;
	companies: CompanyPreview[];
}

/** The state in which the page shows the order form again. */
export interface OrderFormState {
	values: OrderValues;
	errors: OrderErrors;
	company: CompanyPreview | null;
	/** The result of the search for the company of the extract. */
	found: CompanySearchResult | null;
	/** The result of the search for the company of the invoice. */
	billingFound: CompanySearchResult | null;
	/** What was probably meant by an e-mail address whose domain looks mistyped. */
	suggestions: Partial<Record<OrderField, string>>;
	/** Only such an address stopped the order: the next submit passes. */
	doubtful: OrderField | null;
}

interface RefusedForm {
	ok: false;
	status: 200 | 400 | 409;
	state: OrderFormState;
	/** The shop is closed. */
	refusal?: string;
}

export const tooManyForms = "Trop de formulaires ont été envoyés depuis votre connexion. Réessayez dans une heure.";

/**
 * Handles the order form: returns its values for a valid order, otherwise only the state of the form to show again.
 * Browsers without JavaScript have further buttons: to search for a company or to change it, and to correct an e-mail address.
 * @param siren the company in the page's URL, if there is one.
 */
export async function answerOrderForm(
	shop: { db: Database; readDb: Database; readSales: () => Promise<Sales>; now: () => Date },
	form: FormData,
	siren: string | undefined,
): Promise<{ ok: true; form: OrderForm; state: OrderFormState } | RefusedForm> {
	const values = correctEmail(readOrderValues(form), form.get(correctionField));
	if (siren !== undefined) values.siren = siren;
	const state: OrderFormState = { ...noFindings, values, suggestions: suggestEmails(values) };
	const show = (status: 200 | 400, change: Partial<OrderFormState>) => ({ ok: false as const, status, state: { ...state, ...change } });
	const [intent = "", subject = ""] = String(form.get("intent") ?? "").split(":");
	if (intent !== "") return show(200, await answerButton(shop, form, { values, intent, subject }));

	const errors = checkOwnForm(values);
	const preview = await findPreview(shop.db, values.siren);
	if (!preview) errors.siren ??= unknownCompany;
	if (preview?.eligibility === "none") errors.siren = noExtractRefusal;
	const sales = await shop.readSales();
	const service = parseServiceCode(values.service);
	const ordered = preview ? [{ service, company: preview }] : [];
	if (preview && values.billTo === "ordered") Object.assign(errors, checkOwnCompany(values, ordered));
	const closed = service && service in sales.closed ? describeRefusal(service, { ...sales, now: shop.now() }) : null;
	const isAllClosed = serviceCodes.every((code) => code in sales.closed);
	if (closed && !isAllClosed) errors.service = `${closed} Choisissez un autre service.`;
	const chosen = parseSiren(values.siren);
	if (!preview || chosen === null || Object.keys(errors).length > 0) return show(400, { errors, company: preview });
	if (closed) return { ok: false, status: 409, state: { ...state, company: preview }, refusal: closed };
	const used = clearUnusedOfPurchase(values, ordered);
	const doubtful = findDoubtfulEmail(used, form.getAll("checkedEmail"));
	if (doubtful) return show(200, { company: preview, doubtful });
	return { ok: true, form: { values: used, lines: [toSentLine(chosen)] }, state: { ...state, company: preview } };
}

async function findPreview(db: Database, siren: string): Promise<CompanyPreview | null> {
	const parsed = parseSiren(siren);
	const company = parsed && (await findCompany(db, parsed));
	return company && toPreview(company);
}

const noFindings = { errors: {}, company: null, found: null, billingFound: null, doubtful: null };

const emailFields = ["email", "deliveryEmail"] as const;

/** @param field that of the button « Oui, corriger », if it was pressed. @returns the values with what was meant in this field. */
export function correctEmail(values: OrderValues, field: FormDataEntryValue | null): OrderValues {
	const name = emailFields.find((email) => email === field);
	return name ? { ...values, [name]: suggestEmail(values[name]) ?? values[name] } : values;
}

/** Returns what was probably meant by each e-mail address whose domain looks mistyped. */
export const suggestEmails = (values: OrderValues): OrderFormState["suggestions"] =>
	Object.fromEntries(emailFields.map((field) => [field, suggestEmail(values[field]) ?? undefined]));

/**
 * @param used the values without fields that do not count.
 * @returns the first e-mail address that looks mistyped, unless the customer was already asked about it.
 */
export function findDoubtfulEmail(used: OrderValues, checked: readonly FormDataEntryValue[]): OrderField | null {
	return emailFields.find((field) => suggestEmail(used[field]) !== null && !checked.includes(used[field])) ?? null;
}

/** Handles a button that continues with the same form. @param subject what the button is about: a SIREN, a field. */
export async function answerButton(
	{ db, readDb }: { db: Database; readDb: Database },
	form: FormData,
	{ values, intent, subject }: { values: OrderValues; intent: string; subject: string },
): Promise<Partial<OrderFormState>> {
	const search = async (field: string) => {
		const text = String(form.get(field) ?? "").slice(0, 200);
		return { text, companies: await suggestCompanies(readDb, text) };
	};
	const bill = (company: CompanyPreview) => ({ values: { ...values, ...toBilling(company), billTo: "other" } });
	// a single result needs no choice
	const getOnly = ({ companies }: CompanySearchResult) => (companies.length === 1 ? companies[0] : undefined);
	switch (intent) {
		case "find-company": {
			const found = await search("companyQuery");
			const only = getOnly(found);
			return only && only.eligibility !== "none" ? { company: only } : { found };
		}
		case "change-company":
			return {};
		case "find-billing-company": {
			const billingFound = await search("billingQuery");
			const only = getOnly(billingFound);
			return { company: await findPreview(db, values.siren), ...(only ? bill(only) : { billingFound }) };
		}
		case "bill": {
			const chosen = await findPreview(db, subject);
			return { company: await findPreview(db, values.siren), ...(chosen && bill(chosen)) };
		}
		case "correct-email": {
			const corrected = correctEmail(values, subject);
			return { company: await findPreview(db, values.siren), values: corrected, suggestions: suggestEmails(corrected) };
		}
		default:
			return { company: await findPreview(db, values.siren) };
	}
}
