import type { Database } from "../../server/database/database.ts";
import type { CompanyPreview } from "../companies/company.ts";
import { noExtractRefusal, unknownCompany } from "../companies/company-notices.ts";
import { toPreview } from "../companies/company-rows.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { suggestCompanies } from "../companies/search/suggest-companies.server.ts";
import { parseSiren } from "../companies/siren.ts";
import { checkOrder, type OrderErrors, type OrderValues, readOrderValues, toOrderQuery } from "./order-form.ts";

/** The state in which the page shows the order form again. */
export interface OrderFormState {
	values: OrderValues;
	errors: OrderErrors;
	company: CompanyPreview | null;
	/** Without JavaScript: the search text and the companies found. */
	found: { text: string; companies: CompanyPreview[] } | null;
}

/**
 * Handles the order form: returns the query of `/paiement` for a valid order, otherwise the state of the form to show again.
 * Two buttons serve browsers without JavaScript: one searches for a company, one changes the company.
 * @param siren the company in the page's URL, if there is one.
 */
export async function answerOrderForm(
	{ db, readDb }: { db: Database; readDb: Database },
	form: FormData,
	siren: string | undefined,
): Promise<{ ok: true; query: URLSearchParams } | { ok: false; status: 200 | 400; state: OrderFormState }> {
	const values = readOrderValues(form);
	if (siren !== undefined) values.siren = siren;
	const state: OrderFormState = { values, errors: {}, company: null, found: null };
	const intent = form.get("intent");
	if (intent === "change-company") return { ok: false, status: 200, state };
	if (intent === "find-company") {
		const text = String(form.get("companyQuery") ?? "").slice(0, 200);
		return { ok: false, status: 200, state: { ...state, found: { text, companies: await suggestCompanies(readDb, text) } } };
	}

	const errors = checkOrder(values);
	const parsed = parseSiren(values.siren);
	const company = parsed && (await findCompany(db, parsed));
	if (parsed && !company) errors.siren = unknownCompany;
	if (company?.eligibility === "none") errors.siren = noExtractRefusal;
	if (!company || Object.keys(errors).length > 0)
		return { ok: false, status: 400, state: { ...state, errors, company: company && toPreview(company) } };
	const query = toOrderQuery(values);
	query.set("companyName", company.name ?? "Entreprise");
	return { ok: true, query };
}
