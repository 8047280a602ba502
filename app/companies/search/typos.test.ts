import { expect, test } from "vitest";
import { listHalfPatterns, listTranspositions, typoLikelihood } from "./typos.ts";

test.each([
	["dannone", "danone"],
	["danoen", "danone"],
	["danobe", "danone"],
	["danon", "danone"],
	["anone", "danone"],
	["danonee", "danone"],
])("%s → %s is one error", (typed, meant) => {
	expect(typoLikelihood(meant, typed)).toBeGreaterThan(0);
});

test.each([
	["danone", "danone"],
	["dnaoen", "danone"],
	["dan", "danone"],
	["nadone", "danone"],
])("%s → %s is not", (typed, meant) => {
	expect(typoLikelihood(meant, typed)).toBe(0);
});

test.each([
	["a letter left out", "delmas", "dumas", "dlmas"],
	["two letters exchanged", "levitri", "levitin", "levitir"],
	["a letter struck twice", "danone", "danonce", "danonne"],
])("%s is likelier than a wrong letter or another one too many", (_, likelier, other, typed) => {
	expect(typoLikelihood(likelier, typed)).toBeGreaterThan(typoLikelihood(other, typed));
});

/** What the database's indexes answer for a half. */
function isFound(typed: string, word: string): boolean {
	const middle = Math.floor(word.length / 2);
	return (
		listTranspositions(typed).includes(word) ||
		listHalfPatterns(typed).some(
			({ size, side, letters, near, far }) =>
				size === word.length &&
				(side === "first"
					? word.slice(0, middle) === letters && (word[middle] === near || word.at(-1) === far)
					: word.slice(middle) === letters && (word[middle - 1] === near || word[0] === far)),
		)
	);
}

test("every word one error away is looked for by one of its halves", () => {
	for (const word of ["abcd", "abcde", "abcdef", "danone", "boulangerie", "aabbaabb"]) {
		const typed = new Set(listTranspositions(word));
		for (let place = 0; place <= word.length; place++) {
			typed.add(word.slice(0, place) + word.slice(place + 1));
			for (const letter of ["x", "a", word[place] ?? "z"]) {
				typed.add(word.slice(0, place) + letter + word.slice(place));
				typed.add(word.slice(0, place) + letter + word.slice(place + 1));
			}
		}
		typed.delete(word);
		for (const text of typed) {
			expect(typoLikelihood(word, text)).toBeGreaterThan(0);
			expect(isFound(text, word), `${text} → ${word}`).toBe(true);
		}
	}
});
