import type { Database } from "../../../server/database/database.ts";
import { listCompaniesBySiren, type PageRequest, type ResultPage } from "../companies.store.server.ts";
import { readCompanyText } from "../company-text.ts";
import { isQuoted } from "./document-words.ts";
import type { Filters } from "./lexemes.ts";

/** What the numbers of a text find. */
interface FoundByNumber {
	/** The companies; none for a whole number that nobody has. Null: words are to be searched. */
	found: ResultPage | null;
	/** The words to search: the whole text, where it is in quotation marks, or those beside a label or a number that nobody has. */
	words: string;
}

const nobody: ResultPage = { rows: [], total: 0, page: 1 };

/**
 * Finds the companies that a text names by their numbers, whatever stands around them, or by the beginning of one.
 * @param text of a search or a suggestion.
 */
export async function searchByNumber(db: Database, text: string, filters: Filters, pageRequest: PageRequest): Promise<FoundByNumber> {
	const read = readCompanyText(text);
	const list = (digits: string) => listCompaniesBySiren(db, digits, filters, pageRequest);
	switch (read.kind) {
		case "number":
		case "wrong": {
			const found = await list(read.siren);
			if (found.total > 0 || read.beside.length === 0) return { found, words: text };
			return { found: null, words: isQuoted(text) ? text : read.beside.join(" ") };
		}
		case "several": {
			const pages = await Promise.all(read.sirens.slice(0, pageRequest.size).map(list));
			const rows = pages.flatMap((page) => page.rows);
			return { found: { rows, total: rows.length, page: 1 }, words: text };
		}
		case "digits": {
			const found = await list(read.leading);
			if (found.total > 0) return { found, words: text };
			const restored = read.restored ? await list(read.restored) : nobody;
			return { found: restored.total > 0 || read.leading.length === 9 ? restored : null, words: text };
		}
		case "shortened":
			return { found: nobody, words: text };
		case "name":
			if (isQuoted(text)) return { found: null, words: text };
			return { found: read.name === "" ? nobody : null, words: read.name };
	}
}
