import type { SummaryRow } from "../companies.store.server.ts";
import { hashName, type ParsedQuery, removeFormWords } from "./lexemes.ts";
import { listTokens } from "./matched-name.ts";
import { tokenize } from "./tokens.ts";

/**
 * Returns the words of the name that a query is as a whole in other words (« laposte »: la, poste), so that they can be searched.
 * Returns null when a company has the query's own words, or when none has that name.
 * @param rows all companies found.
 */
export function findRegisteredSpelling({ words, nameKey }: ParsedQuery, rows: readonly SummaryRow[]): readonly string[] | null {
	const names = rows
		.flatMap(({ name, acronym, trade_names }) => [name, acronym, ...(trade_names?.split("\n") ?? [])])
		.filter((name) => name !== null);
	// names often lack their legal form
	const nameWords = removeFormWords(words.map(({ word }) => word));
	const typed = words.filter(({ word }) => nameWords.includes(word));
	const isTyped = names.some((name) => {
		const tokens = listTokens(name);
		return typed.every(({ word, alternatives }) => [word, ...alternatives].some((one) => tokens.some((token) => token.startsWith(one))));
	});
	const name = isTyped ? undefined : names.find((name) => hashName(name) === nameKey);
	return name === undefined ? null : removeFormWords(tokenize(name));
}
