import type { Random } from "../../test/random.ts";

/** The four errors of one letter. Each function gets the word and the position of a letter in it. */
const typingErrors = {
	"a letter left out": (word, at) => word.slice(0, at) + word.slice(at + 1),
	"a letter too many": (word, at, random) => word.slice(0, at) + pickLetter(random) + word.slice(at),
	"a wrong letter": (word, at, random) => word.slice(0, at) + pickLetter(random) + word.slice(at + 1),
	"two letters swapped": (word, at) => word.slice(0, at) + (word[at + 1] ?? "") + word[at] + word.slice(at + 2),
} satisfies Record<string, (word: string, at: number, random: Random) => string>;

export type TypingError = keyof typeof typingErrors;
export const typingErrorKinds = Object.keys(typingErrors) as TypingError[];

const pickLetter = (random: Random) => random.pick([..."abcdefghijklmnopqrstuvwxyz"]);

/** A word with one typing error at a random position; never the same word in another case. */
export function mistype(word: string, random: Random, kind: TypingError = random.pick(typingErrorKinds)): string {
	for (let attempt = 0; attempt < 100; attempt++) {
		const typed = typingErrors[kind](word, Math.floor(random.next() * word.length), random);
		if (typed.toLowerCase() !== word.toLowerCase()) return typed;
	}
	return `${word}${word.at(-1)}`; // « oo » has no two letters to swap
}

/** The longest word of a name, the first of several. */
export function findLongestWord(name: string): string {
	return name.split(/[\s'-]+/).toSorted((a, b) => b.length - a.length)[0] ?? name;
}
