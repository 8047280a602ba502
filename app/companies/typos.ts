/** A word and what is left of it without one of its letters: two words at a distance of one typing error share one of these. */
export function rests(word: string): string[] {
	const letters = [...word];
	return [...new Set([word, ...letters.map((_, index) => letters.toSpliced(index, 1).join(""))])];
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
