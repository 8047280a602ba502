import type { Random } from "./random.ts";

/** The four errors of one letter that a hand makes. Each is given the word and the place (0-based) of a letter in it. */
export const typingErrors = {
	"a letter left out": (word, place) => word.slice(0, place) + word.slice(place + 1),
	"a letter too many": (word, place, random) => word.slice(0, place) + anyLetter(random) + word.slice(place),
	"a wrong letter": (word, place, random) => word.slice(0, place) + anyLetter(random) + word.slice(place + 1),
	"two letters exchanged": (word, place) => word.slice(0, place) + (word[place + 1] ?? "") + word[place] + word.slice(place + 2),
} satisfies Record<string, (word: string, place: number, random: Random) => string>;

export type TypingError = keyof typeof typingErrors;
export const sortsOfTypingError = Object.keys(typingErrors) as TypingError[];

const anyLetter = (random: Random) => random.pick([..."abcdefghijklmnopqrstuvwxyz"]);

/** A word with one typing error in it, anywhere; another word, whatever the case. */
export function mistype(word: string, random: Random, sort: TypingError = random.pick(sortsOfTypingError)): string {
	for (let attempt = 0; attempt < 100; attempt++) {
		const typed = typingErrors[sort](word, Math.floor(random.next() * word.length), random);
		if (typed.toLowerCase() !== word.toLowerCase()) return typed;
	}
	return `${word}${word.at(-1)}`; // « oo » has no two letters to exchange
}

/** The longest word of a name, the first of several. */
export function longestWord(name: string): string {
	return name.split(/[\s'-]+/).toSorted((a, b) => b.length - a.length)[0] ?? name;
}
