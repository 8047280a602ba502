import type { Random } from "../random.ts";
import { drawFrom, happens, lowOften, type Weighted } from "./chances.ts";
import { brand, brandCount } from "./rare-words.ts";

/** The longest name that the register keeps, in characters. */
const longestName = 120;

/** Names that are another company's, word for word: the register is full of them. */
const shareOfHomonyms = 0.05;

/** How often a name has a word that (nearly) no other has: a name of one word is mostly such a word. */
const rareWordShare = { oneWord: 0.6, more: 0.28 };

/**
 * Names made of the words of real ones, as frequent as there, each in a place (first, middle, last) where it was seen,
 * in names of as many words; about one in three holds a rare word besides.
 * @param realNames denominations of the embedded sample, one for each unit.
 */
export function companyNames(realNames: readonly string[]): (random: Random) => string {
	const split = realNames.map((name) => name.split(/\s+/).filter(Boolean));
	const several = split.filter((words) => words.length > 1);
	const single = split.filter((words) => words.length === 1).map(([word]) => word as string);
	const first = several.map((words) => words[0] as string);
	const middle = several.flatMap((words) => words.slice(1, -1));
	const last = several.map((words) => words.at(-1) as string);
	const stems = [...new Set(split.flat())].filter((word) => /^[A-Z]{4,9}$/.test(word));
	const shortestFirst = [...new Set(realNames)].sort((a, b) => a.length - b.length);

	return (random) => {
		if (happens(random, shareOfHomonyms)) return shortestFirst[lowOften(random, shortestFirst.length, 2)] as string;
		const length = random.pick(split).length;
		const rareShare = length === 1 ? rareWordShare.oneWord : rareWordShare.more;
		const rare = happens(random, rareShare) ? brand(lowOften(random, brandCount, 2), stems) : undefined;
		if (length === 1) return rare ?? random.pick(single);
		let name = random.pick(first);
		for (let word = 2; word < length; word++) name += ` ${random.pick(middle)}`;
		const whole = `${name} ${rare ?? random.pick(last)}`;
		return whole.length > longestName ? name.slice(0, longestName).trimEnd() : whole;
	};
}

/** Acronyms: the initials of a long name, else one of the sample's. */
export function acronyms(realAcronyms: Weighted<string>): (random: Random, name: string) => string {
	const draw = drawFrom(realAcronyms);
	return (random, name) => {
		const initials = name
			.split(/[^A-Z0-9]+/)
			.map((word) => word.charAt(0))
			.join("");
		return initials.length >= 3 ? initials.slice(0, 6) : draw(random);
	};
}

/** Trade signs: those of the sample, chains among them, or names like any company's. */
export function tradeSigns(realSigns: Weighted<string>, drawName: (random: Random) => string): (random: Random) => string {
	const draw = drawFrom(realSigns);
	return (random) => (happens(random, 0.4) ? draw(random) : drawName(random).slice(0, 50).trimEnd());
}
