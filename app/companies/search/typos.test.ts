import { expect, test } from "vitest";
import { listHalfPatterns, listTranspositions, typoLikelihood } from "./typos.ts";

test.each([
	["dannone", "danone"],
	["danoen", "danone"],
	["danobe", "danone"],
	["danon", "danone"],
	["anone", "danone"],
	["danonee", "danone"],
])("%s → %s is one error", (typed, intended) => {
	expect(typoLikelihood(intended, typed)).toBeGreaterThan(0);
});

test.each([
	["danone", "danone"],
	["dnaoen", "danone"],
	["dan", "danone"],
	["nadone", "danone"],
])("%s → %s is not one error", (typed, intended) => {
	expect(typoLikelihood(intended, typed)).toBe(0);
});

test.each([
	["an omitted letter", "delmas", "dumas", "dlmas"],
	["two exchanged letters", "levitri", "levitin", "levitir"],
	["a doubled letter", "danone", "danonce", "danonne"],
])("%s is likelier than a wrong or added letter", (_, likelier, other, typed) => {
	expect(typoLikelihood(likelier, typed)).toBeGreaterThan(typoLikelihood(other, typed));
});

/** Whether the database finds a word by its indexes on halves. */
function isFound(typed: string, word: string): boolean {
	const middle = Math.floor(word.length / 2);
	return (
		listTranspositions(typed).includes(word) ||
		listHalfPatterns(typed).some(
			({ size, side, letters, near, far }) =>
				size === word.length &&
				((side === "first" && word.slice(0, middle) === letters && (word[middle] === near || word.at(-1) === far)) ||
					(side === "second" && word.slice(middle) === letters && (word[middle - 1] === near || word[0] === far))),
		)
	);
}

test("one half finds every word at one error", () => {
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

test("words are looked up that have one letter less, as many, or one more, and four at least", () => {
	const sizes = (typed: string) => [...new Set(listHalfPatterns(typed).map(({ size }) => size))];
	expect(sizes("boulangerie")).toEqual([10, 11, 12]);
	expect(sizes("abcd")).toEqual([4, 5]);
});
