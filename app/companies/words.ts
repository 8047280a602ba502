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
	if (plain.test(text)) return text.toLowerCase().split(" ");
	const found = fold(text)
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
	for (let at = 0, own = found.length; at < own; at++) for (const other of abbreviations.get(found[at] as string) ?? []) found.push(other);
	if (plain.test(text)) return found;
	const compounds = fold(text)
		.split(/\s+/)
		.filter((chunk) => /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(chunk) && !/^([djmnstc]|qu)'/.test(chunk))
		.map((chunk) => chunk.replace(/[^\p{L}\p{N}]/gu, ""))
		.filter((word) => word.length <= longestCompound);
	return [...found, ...compounds];
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
			.toLowerCase()
			.replace(/[œæßøłđðþ]/g, (letter) => ligatures[letter] ?? letter)
			.normalize("NFKD")
			.replace(/\p{M}/gu, "")
			.replace(/[’‘ʼ´`]/g, "'")
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
