import type { Database } from "../../server/database.ts";
import { pageOf, partsOfSiren, partsOfWords } from "./companies.store.server.ts";
import { cleanText, type Suggestion } from "./company-search.ts";
import { queryWords } from "./lexemes.ts";
import { leadingDigits } from "./siren.ts";

const shortestText = 3;
const page = { offset: 0, limit: 8, cap: 0 };

/** Up to eight companies for the text typed so far, from three characters on: a name, or the start of a SIREN. */
export async function suggestCompanies(db: Database, text: string): Promise<Suggestion[]> {
	const query = cleanText(text);
	if ([...query].length < shortestText) return [];
	return db
		.transaction()
		.setAccessMode("read only")
		.execute(async (trx) => {
			const digits = leadingDigits(query);
			const words = queryWords(query);
			let { rows } = digits ? await pageOf(trx, partsOfSiren(digits), page) : { rows: [] };
			if (rows.length === 0 && words.length > 0 && digits?.length !== 9) ({ rows } = await pageOf(trx, partsOfWords(words), page));
			return rows.map(({ siren, name, city }) => ({ siren, name: name ?? "Entreprise", city }));
		});
}
