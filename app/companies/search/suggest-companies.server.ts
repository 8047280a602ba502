import type { Database } from "../../../server/database/database.ts";
import { companiesBySiren, companiesByWords } from "../companies.store.server.ts";
import type { CompanyPreview } from "../company.ts";
import { toPreview, toSummary } from "../company-rows.ts";
import { leadingDigits } from "../siren.ts";
import { cleanText } from "./company-search.ts";
import { noFilters, queryWords } from "./lexemes.ts";

const shortestText = 3;
const wanted = { page: 1, size: 8, cap: 8 };

/** Up to eight companies for the text typed so far, from three characters on: a name, or the start of a SIREN. */
export async function suggestCompanies(db: Database, text: string): Promise<CompanyPreview[]> {
	const query = cleanText(text);
	if ([...query].length < shortestText) return [];
	const digits = leadingDigits(query);
	const words = queryWords(query);
	let { rows } = digits ? await companiesBySiren(db, digits, noFilters, wanted) : { rows: [] };
	if (rows.length === 0 && words.length > 0 && digits?.length !== 9) ({ rows } = await companiesByWords(db, words, noFilters, wanted));
	return rows.map((row) => toPreview(toSummary(row)));
}
