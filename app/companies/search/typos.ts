/** A pattern of other words that share one half with a word. */
export interface HalfPattern {
	/** The length of the other word. */
	size: number;
	side: "first" | "second";
	/** The letters of the shared half. */
	letters: string;
	/** In the other half, either the letter next to the middle or the outermost letter is the same. */
	near: string;
	far: string;
}

/** Shorter words are not corrected: too many other words are one letter away. */
export const minCorrectedLength = 4;

/**
 * Returns the patterns of words with one letter more, less or other: such an error leaves one half unchanged.
 * A small index on halves can therefore search a vocabulary of millions.
 */
export function listHalfPatterns(word: string): HalfPattern[] {
	const letters = [...word];
	const text = (from: number, to?: number) => letters.slice(from, to).join("");
	const found: HalfPattern[] = [];
	for (let size = Math.max(minCorrectedLength, letters.length - 1); size <= letters.length + 1; size++) {
		const middle = Math.floor(size / 2);
		const start = letters.length - (size - middle);
		found.push({ size, side: "first", letters: text(0, middle), near: letters[middle] ?? "", far: letters.at(-1) ?? "" });
		found.push({ size, side: "second", letters: text(start), near: letters[start - 1] ?? "", far: letters[0] ?? "" });
	}
	return found;
}

/** Returns all words with two neighbouring letters exchanged. */
export function listTranspositions(word: string): string[] {
	const letters = [...word];
	return letters.slice(1).map((letter, index) =>
		letters
			.with(index, letter)
			.with(index + 1, letters[index] ?? "")
			.join(""),
	);
}

/** The number of letters that can replace the right one. */
const wrongLetterCount = 25;

/**
 * Returns the relative likelihood that a word is typed as another with one error (Damerau-Levenshtein 1); 0 for no error or more.
 * A wrong or added letter has 25 forms, other errors have one, so each form of those is rarer (Kernighan, Church and Gale, 1990).
 */
export function typoLikelihood(intended: string, typed: string): number {
	const a = [...intended];
	const b = [...typed];
	if (Math.abs(a.length - b.length) > 1) return 0;
	let start = 0;
	while (start < a.length && a[start] === b[start]) start++;
	let end = 0;
	while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
	const removed = a.slice(start, a.length - end).join("");
	const added = b.slice(start, b.length - end).join("");
	if (removed.length === 2 && removed === [...added].toReversed().join("")) return wrongLetterCount;
	if (removed === added || [...removed].length > 1 || [...added].length > 1) return 0;
	return added === "" || (removed === "" && added === b[start - 1]) ? wrongLetterCount : 1;
}
