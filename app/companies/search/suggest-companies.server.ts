import type { Database } from "../../../server/database/database.ts";
import { findCommuneName } from "../addresses/communes.server.ts";
import { listCompaniesBySiren, listCompaniesByWords } from "../companies.store.server.ts";
import type { CompanyPreview } from "../company.ts";
import { toPreview, toSummary } from "../company-rows.ts";
import { parseLeadingDigits } from "../siren.ts";
import { normalizeQuery } from "./company-search.ts";
import { noFilters, parseQueryWords } from "./lexemes.ts";
import { listCompaniesByTexts } from "./suggestions.store.server.ts";

const minTextLength = 3;
const pageRequest = { page: 1, size: 8, cap: 8 };

/** Suggests up to eight companies for a partial name or SIREN of at least three characters. */
export async function suggestCompanies(db: Database, text: string): Promise<CompanyPreview[]> {
	const query = normalizeQuery(text);
	if ([...query].length < minTextLength) return [];
	const digits = parseLeadingDigits(query);
	const bySiren = digits ? await listCompaniesBySiren(db, digits, noFilters, pageRequest) : null;
	if (bySiren && (bySiren.rows.length > 0 || digits?.length === 9))
		return bySiren.rows.map((row) => toPreview(toSummary(row, findCommuneName)));
	const words = parseQueryWords(query);
	if (words.length === 0) return [];
	const { rows } = await listCompaniesByWords(db, words, noFilters, pageRequest);
	return rows.map((row) => toPreview(toSummary(row, findCommuneName, words)));
}

/** Suggests up to `size` companies for each of several names, in one query. @returns a list for each name. */
export async function suggestForNames(db: Database, names: readonly string[], size: number): Promise<CompanyPreview[][]> {
	const words = names.map((name) => (name.length < minTextLength ? [] : parseQueryWords(normalizeQuery(name))));
	const found: CompanyPreview[][] = names.map(() => []);
	const asked = words.flatMap((list, index) => (list.length > 0 ? [{ list, index }] : []));
	const rows =
		asked.length > 0
			? await listCompaniesByTexts(
					db,
					asked.map(({ list }) => list),
					size,
				)
			: [];
	for (const row of rows) {
		const query = asked[row.place];
		if (query) found[query.index]?.push(toPreview(toSummary(row, findCommuneName, query.list)));
	}
	return found;
}
