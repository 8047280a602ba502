import { type QueryWord, removeFormWords } from "./lexemes.ts";
import { listJoinedSpellings, listTokenVariants } from "./tokens.ts";

/** A shorter word matches as a whole, except the last one, which may be unfinished. */
const minPrefixLength = 3;

/**
 * Returns the trade name or acronym that explains why a company was found: the one that holds most of the words that its name lacks.
 * Returns null when the name holds all words, and when no trade name holds any of the others.
 * @param words of the search; none for a search by number. @param tradeNames in order of preference.
 */
export function findMatchedName(words: readonly QueryWord[], name: string | null, tradeNames: readonly string[]): string | null {
	if (name === null || words.length === 0 || tradeNames.length === 0) return null;
	const searched = new Set(removeFormWords(words.map(({ word }) => word)));
	const matchers = words.flatMap((queryWord, index) =>
		searched.has(queryWord.word) ? [createMatcher(queryWord, index === words.length - 1)] : [],
	);
	const inName = listTokens(name);
	const missing = matchers.filter((match) => !inName.some(match));
	let best: string | null = null;
	let most = 0;
	for (const tradeName of missing.length > 0 ? tradeNames : []) {
		const tokens = listTokens(tradeName);
		const count = missing.filter((match) => tokens.some(match)).length;
		if (count > most) [best, most] = [tradeName, count];
	}
	return best;
}

function createMatcher({ word, alternatives }: QueryWord, isLast: boolean): (token: string) => boolean {
	const isPrefix = isLast || [...word].length >= minPrefixLength;
	return (token) => (isPrefix ? token.startsWith(word) : token === word) || alternatives.includes(token);
}

/** Lists the words of a name as the importer stores them. */
export function listTokens(text: string): string[] {
	return [...listTokenVariants(text), ...[...listJoinedSpellings(text).values()].flatMap((spellings) => [...spellings])];
}
