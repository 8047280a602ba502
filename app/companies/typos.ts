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

/** Whether one typing error leads from one word to the other: a letter more, less or other, or two neighbours exchanged (Damerau-Levenshtein 1). */
export function isOneTypoAway(from: string, to: string): boolean {
	const a = [...from];
	const b = [...to];
	if (Math.abs(a.length - b.length) > 1) return false;
	let start = 0;
	while (start < a.length && a[start] === b[start]) start++;
	let end = 0;
	while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
	const restA = a.slice(start, a.length - end);
	const restB = b.slice(start, b.length - end);
	if (restA.length + restB.length === 0) return false;
	if (restA.length <= 1 && restB.length <= 1) return true;
	return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
}
