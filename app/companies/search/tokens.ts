/** Longest word, in characters: the rest of a longer one tells nothing apart. */
const longestWord = 40;

/** A compound written as one word is looked for by its whole, if it is short. */
const longestCompound = 20;

const ligatures: Record<string, string> = { œ: "oe", æ: "ae", ß: "ss", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th" };

/** Most names of a register are this plain, and there are thirty million of them. */
const plain = /^[a-z0-9]{2,40}(?: [a-z0-9]{2,40})*$/i;

/**
 * The words of a text as the company search knows them: lower case, no accent, no punctuation.
 * The importer and the query parser both go through here, so that what was written finds what was stored:
 * « L’Œuvre » → oeuvre · « S.N.C.F. » → sncf · « S A R L » → sarl · « H&M » → h et m · « Saint-Gobain » → saint gobain.
 */
export function words(text: string): string[] {
	return plain.test(text) ? text.toLowerCase().split(" ") : foldedWords(fold(text));
}

function foldedWords(text: string): string[] {
	const found = text
		// an elided article says nothing: l’oréal → oréal
		.replace(/(?<![\p{L}\p{N}])(?:[ldjmnstc]|qu)'(?=\p{L})/gu, " ")
		// an English possessive belongs to its word: mcdonald’s → mcdonalds
		.replace(/(?<=\p{L})'(?=s(?![\p{L}\p{N}]))/gu, "")
		// the dots of an acronym: s.n.c.f. → sncf, j.c.decaux → jc decaux
		.replace(
			/(?<![\p{L}\p{N}])(?:\p{L}\.)+\p{L}?(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:\p{L}\.){2,}(?=\p{L})/gu,
			(acronym) => ` ${acronym.replaceAll(".", "")} `,
		)
		.replace(/(?<=[\p{L}\p{N}]\s*)&(?=\s*[\p{L}\p{N}])/gu, " et ")
		.replace(/(?<=[\p{L}\p{N}]\s?)\+/gu, " plus ")
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);
	return joinSingleLetters(found).map((word) => (word.length > longestWord ? [...word].slice(0, longestWord).join("") : word));
}

/**
 * All words that a name is looked for by: its own, its compounds written as one word (« L’Oréal » → loreal, « H&M » → hm),
 * and both spellings of the words that registers abbreviate (« St Gobain », « Saint-Gobain »).
 */
export function allSpellings(text: string): string[] {
	const found = words(text);
	for (const word of [...found]) found.push(...(abbreviations.get(word) ?? []));
	if (plain.test(text)) return found;
	const compounds = fold(text)
		.split(/\s+/)
		.filter((chunk) => /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(chunk) && !/^([djmnstc]|qu)'/.test(chunk))
		.map((chunk) => chunk.replace(/[^\p{L}\p{N}]/gu, ""))
		.filter((word) => word.length <= longestCompound);
	return [...found, ...compounds];
}

/** Words that stand before an apostrophe, or before the space that is written for it, and go with the next one: « aujourd hui ». */
const firstHalves = new Set("o d l m n mc mac aujourd presqu quelqu jusqu lorsqu puisqu prud entr".split(" "));

/** Whether a text may have words that are also written as one. */
const mayJoin = new RegExp(`['’‘ʼ´\`]|\\b(?:s|${[...firstHalves].join("|")})\\b`, "i");

/**
 * What words of a text are written as together where an apostrophe, or the space for it, is left out: « d’art » → art: dart ·
 * « O’Brien » → o, brien: obrien · « carole s » → carole, s: caroles. A word that goes with no other is not in the map.
 */
export function joinedSpellings(text: string): Map<string, Set<string>> {
	const joined = new Map<string, Set<string>>();
	if (!mayJoin.test(text)) return joined;
	const add = (parts: readonly string[], whole: string) => {
		if (whole.length > longestCompound) return;
		for (const part of parts) if (part !== whole) joined.set(part, (joined.get(part) ?? new Set()).add(whole));
	};
	const folded = fold(text);
	for (const [chunk] of folded.matchAll(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)+/gu)) add(foldedWords(chunk), chunk.replaceAll("'", ""));
	const list = foldedWords(folded);
	for (const [first, word] of list.entries()) {
		let whole = word;
		for (let last = first + 1; goTogether(list[last - 1], list[last]) && whole.length <= longestCompound; last++) {
			whole += list[last];
			add(list.slice(first, last + 1), whole);
		}
	}
	return joined;
}

/** Whether two neighbours may be one word: « o brien », « mc donald », and the s of a possessive, « carole s ». */
function goTogether(word = "", next = ""): boolean {
	if (!/^\p{L}+$/u.test(word + next)) return false;
	if (word === "et" || next === "et") return false;
	return next === "s" ? word.length > 2 : firstHalves.has(word) && next.length > 1;
}

const abbreviations = bothWays([
	["st", "saint"],
	["ste", "sainte"],
	["ste", "societe"],
	["soc", "societe"],
	["cie", "compagnie"],
	["ets", "etablissements"],
	["ass", "association"],
	["asso", "association"],
	["assoc", "association"],
]);

function bothWays(pairs: [string, string][]): Map<string, string[]> {
	const map = new Map<string, string[]>();
	for (const [a, b] of pairs) {
		map.set(a, [...(map.get(a) ?? []), b]);
		map.set(b, [...(map.get(b) ?? []), a]);
	}
	return map;
}

function fold(text: string): string {
	return (
		text
			.normalize("NFKD")
			.replace(/\p{M}/gu, "")
			// after NFKD, which makes capitals of « ™ » and « № »
			.toLowerCase()
			.replace(/[œæßøłđðþ]/g, (letter) => ligatures[letter] ?? letter)
			.replace(/[’‘ʼ´`]/g, "'")
			.replace(/(?<![\p{L}\p{N}])([ldjmnstc]|qu) ?' ?(?=\p{L})/gu, "$1'")
			// registers write an apostrophe as a space: D APPUI is d'appui
			.replace(/(?<![\p{L}\p{N}])([ldjmnstc]) (?=[aeiouyh]\p{L}{2})/gu, "$1'")
	);
}

/** Letters that stand alone side by side are an acronym: s a r l → sarl. */
function joinSingleLetters(list: string[]): string[] {
	const joined: string[] = [];
	let open = false;
	for (const word of list) {
		const single = /^\p{L}$/u.test(word);
		if (single && open) joined.push(joined.pop() + word);
		else joined.push(word);
		open = single;
	}
	return joined;
}
