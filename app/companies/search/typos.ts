/** Another word of some length that has the same letters in one of its halves. */
export interface Half {
	/** Length of the other word. */
	size: number;
	side: "first" | "second";
	/** Those that both have. */
	letters: string;
	/** Of the half that differs, either the letter next to the middle or the one at the end of the word is the same. */
	near: string;
	far: string;
}

/** Shorter words are not mended: too many lie one letter away. */
export const shortestMended = 4;

/**
 * Where to look for the words that one letter more, less or other makes of a word: such an error leaves one half as it was.
 * So a vocabulary of millions can be asked through an index of a few bytes a word.
 */
export function halves(word: string): Half[] {
	const letters = [...word];
	const text = (from: number, to?: number) => letters.slice(from, to).join("");
	const found: Half[] = [];
	for (let size = Math.max(shortestMended, letters.length - 1); size <= letters.length + 1; size++) {
		const middle = Math.floor(size / 2);
		const start = letters.length - (size - middle);
		found.push({ size, side: "first", letters: text(0, middle), near: letters[middle] ?? "", far: letters.at(-1) ?? "" });
		found.push({ size, side: "second", letters: text(start), near: letters[start - 1] ?? "", far: letters[0] ?? "" });
	}
	return found;
}

/** The words that exchanging two neighbouring letters makes of a word. */
export function exchanges(word: string): string[] {
	const letters = [...word];
	return letters.slice(1).map((letter, index) =>
		letters
			.with(index, letter)
			.with(index + 1, letters[index] as string)
			.join(""),
	);
}

/** How many letters one may hit in place of the right one. */
const otherLetters = 25;

/**
 * How likely a word is typed as another by one typing error (Damerau-Levenshtein 1), beside other words that are; 0 where it takes none, or more.
 * The four errors are about as frequent, but to leave a letter out, to strike one twice or to exchange two happens at a place in one
 * way, a wrong letter or another one too many in as many as there are letters (the noisy channel of Kernighan, Church and Gale, 1990).
 */
export function typoLikelihood(meant: string, typed: string): number {
	const a = [...meant];
	const b = [...typed];
	if (Math.abs(a.length - b.length) > 1) return 0;
	let start = 0;
	while (start < a.length && a[start] === b[start]) start++;
	let end = 0;
	while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
	const lost = a.slice(start, a.length - end).join("");
	const added = b.slice(start, b.length - end).join("");
	if (lost.length === 2 && lost === [...added].toReversed().join("")) return otherLetters;
	if (lost === added || [...lost].length > 1 || [...added].length > 1) return 0;
	return added === "" || (lost === "" && added === b[start - 1]) ? otherLetters : 1;
}
