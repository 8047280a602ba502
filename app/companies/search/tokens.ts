/** In characters. Longer words are cut. */
const maxWordLength = 40;

/** In characters. Only short compounds are also searched as one word. */
const maxCompoundLength = 20;

const ligatures: Record<string, string> = { œ: "oe", æ: "ae", ß: "ss", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th" };

/** Most of the thirty million names match this and need no normalisation. */
const plainPattern = /^[a-z0-9]{2,40}(?: [a-z0-9]{2,40})*$/i;

/**
 * Splits a text into tokens: lower case, no accent, no punctuation.
 * The importer and the query parser share this function:
 * « L’Œuvre » → oeuvre · « S.N.C.F. » → sncf · « S A R L » → sarl · « H&M » → h et m · « Saint-Gobain » → saint gobain.
 */
export function tokenize(text: string): string[] {
	return plainPattern.test(text) ? text.toLowerCase().split(" ") : splitFolded(fold(text));
}

/**
 * Splits a name into the parts of its key: tokens with their elided articles (« L’Oréal » → loreal), abbreviations written out and numbers in
 * digits, so that different spellings of one name have the same parts.
 */
export function listNameParts(name: string): string[] {
	const parts = plainPattern.test(name) ? name.toLowerCase().split(" ") : splitFolded(fold(name), "$1");
	return parts.map((part) => writtenOut.get(part) ?? part);
}

/** @param elided what replaces an elided article: nothing of it (l’oréal → oréal), or the article itself. */
function splitFolded(text: string, elided: " " | "$1" = " "): string[] {
	const tokens = text
		.replace(/(?<![\p{L}\p{N}])([ldjmnstc]|qu)'(?=\p{L})/gu, elided)
		// joins an English possessive: mcdonald’s → mcdonalds
		.replace(/(?<=\p{L})'(?=s(?![\p{L}\p{N}]))/gu, "")
		// removes the dots of an acronym: s.n.c.f. → sncf, j.c.decaux → jc decaux
		.replace(
			/(?<![\p{L}\p{N}])(?:\p{L}\.)+\p{L}?(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:\p{L}\.){2,}(?=\p{L})/gu,
			(acronym) => ` ${acronym.replaceAll(".", "")} `,
		)
		.replace(/(?<=[\p{L}\p{N}]\s*)&(?=\s*[\p{L}\p{N}])/gu, " et ")
		.replace(/(?<=[\p{L}\p{N}]\s?)\+/gu, " plus ")
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);
	return joinSingleLetters(tokens).map((word) => (word.length > maxWordLength ? [...word].slice(0, maxWordLength).join("") : word));
}

/**
 * Returns all tokens of a name: its words, its compounds as one word (« L’Oréal » → loreal, « H&M » → hm), and both spellings of
 * abbreviations (« St Gobain », « Saint-Gobain »).
 */
export function listTokenVariants(text: string): string[] {
	const tokens = tokenize(text);
	for (const word of [...tokens]) tokens.push(...(abbreviations.get(word) ?? []));
	if (plainPattern.test(text)) return tokens;
	const folded = fold(text);
	// a name is also searched without its possessive: mcdonald
	const owners = folded.match(/(?<![\p{L}\p{N}])\p{L}{3,}(?='s(?![\p{L}\p{N}]))/gu) ?? [];
	const compounds = folded
		.split(/\s+/)
		.filter((chunk) => /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(chunk) && !/^([djmnstc]|qu)'/.test(chunk))
		.map((chunk) => chunk.replace(/[^\p{L}\p{N}]/gu, ""))
		.filter((word) => word.length <= maxCompoundLength);
	return [...tokens, ...owners, ...compounds];
}

/** Words before an apostrophe, or before a space in its place, that join the next word: « aujourd hui ». */
const joiningWords = new Set("o d l m n mc mac aujourd presqu quelqu jusqu lorsqu puisqu prud entr".split(" "));

/** Whether a text may have such words. */
const joinPattern = new RegExp(`['’‘ʼ´\`]|\\b(?:s|${[...joiningWords].join("|")})\\b`, "i");

/**
 * Returns, the joined spellings of words next to an apostrophe, or next to a space instead of one: « d’art » → art: dart ·
 * « O’Brien » → o, brien: obrien · « carole s » → carole, s: caroles.
 */
export function listJoinedSpellings(text: string): Map<string, Set<string>> {
	const joined = new Map<string, Set<string>>();
	if (!joinPattern.test(text)) return joined;
	const add = (parts: readonly string[], whole: string) => {
		if (whole.length > maxCompoundLength) return;
		for (const part of parts) if (part !== whole) joined.set(part, (joined.get(part) ?? new Set()).add(whole));
	};
	const folded = fold(text);
	for (const [chunk] of folded.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)+/gu))
		add(splitFolded(chunk), chunk.replaceAll("'", ""));
	const list = splitFolded(folded);
	for (const [first, word] of list.entries()) {
		let whole = word;
		for (let last = first + 1; mayBeOneWord(list[last - 1], list[last]) && whole.length <= maxCompoundLength; last++) {
			whole += list[last];
			add(list.slice(first, last + 1), whole);
		}
	}
	return joined;
}

/** Whether two neighbours may be one word: « o brien », « mc donald », or a possessive, « carole s ». */
function mayBeOneWord(word = "", next = ""): boolean {
	if (!/^\p{L}+$/u.test(word + next)) return false;
	if (word === "et" || next === "et") return false;
	return next === "s" ? word.length > 2 : joiningWords.has(word) && next.length > 1;
}

const abbreviations = createBidirectionalMap([
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

/** Words for digits, in both directions. « Un » is mostly an article. */
const numberWords: [string, string][] = "deux trois quatre cinq six sept huit neuf dix"
	.split(" ")
	.map((word, index) => [word, String(index + 2)]);
const sameWords = createBidirectionalMap([...numberWords, ["and", "et"]]);

/** Other writings of a word of a query: « trois » for « 3 », « mcdonald » for « macdonald ». */
export function listSameWords(word: string): string[] {
	const [, prefix, name = ""] = /^(mac|mc)(\p{L}{3,})$/u.exec(word) ?? [];
	return [...(sameWords.get(word) ?? []), ...(prefix ? [(prefix === "mac" ? "mc" : "mac") + name] : [])];
}

/** One spelling for words that names abbreviate, or write in letters. */
const writtenOut = new Map([
	...numberWords,
	["and", "et"],
	["st", "saint"],
	["ste", "societe"],
	["soc", "societe"],
	["cie", "compagnie"],
	["ets", "etablissements"],
] as const);

function createBidirectionalMap(pairs: [string, string][]): Map<string, string[]> {
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
			// after NFKD, which turns « ™ » and « № » into capitals
			.toLowerCase()
			.replace(/[œæßøłđðþ]/g, (letter) => ligatures[letter] ?? letter)
			.replace(/[’‘ʼ´`]/g, "'")
			.replace(/(?<![\p{L}\p{N}])([ldjmnstc]|qu) ?' ?(?=\p{L})/gu, "$1'")
			// registers write a space for an apostrophe: D APPUI is d'appui
			.replace(/(?<![\p{L}\p{N}])([ldjmnstc]) (?=[aeiouyh]\p{L}{2})/gu, "$1'")
	);
}

/** Joins adjacent single letters, which are an acronym: s a r l → sarl. */
function joinSingleLetters(list: string[]): string[] {
	const joined: string[] = [];
	let previousIsSingle = false;
	for (const word of list) {
		const single = /^\p{L}$/u.test(word);
		if (single && previousIsSingle) joined.push(joined.pop() + word);
		else joined.push(word);
		previousIsSingle = single;
	}
	return joined;
}
