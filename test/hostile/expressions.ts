import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CallExpression, type NewExpression, parseSync, Visitor } from "oxc-parser";

/** Regular expressions of the shop, as its source writes them. */
export interface FoundExpression {
	source: string;
	flags: string;
	/** The first place, « app/x.ts:12 ». */
	where: string;
}

/**
 * Finds every regular expression that the source of the shop writes, each once, and each place that makes one at run time.
 * @param folders of TypeScript; tests do not count.
 */
export function findExpressions(folders: readonly string[]): { written: FoundExpression[]; made: string[] } {
	const written = new Map<string, FoundExpression>();
	const made: string[] = [];
	for (const file of folders.flatMap(listSources)) {
		const text = readFileSync(file, "utf8");
		const locate = (start: number) => `${file}:${text.slice(0, start).split("\n").length}`;
		const visitCall = ({ callee, start }: NewExpression | CallExpression) => {
			if (callee.type === "Identifier" && callee.name === "RegExp") made.push(locate(start));
		};
		new Visitor({
			Literal(node) {
				if (!("regex" in node)) return;
				const { pattern, flags } = node.regex;
				const key = `/${pattern}/${flags}`;
				if (!written.has(key)) written.set(key, { source: pattern, flags, where: locate(node.start) });
			},
			NewExpression: visitCall,
			CallExpression: visitCall,
		}).visit(parseSync(file, text).program);
	}
	return { written: [...written.values()], made };
}

function listSources(folder: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: "utf8" })
		.map((name) => join(folder, name))
		.filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
		.sort();
}

/** Signs that an expression may accept without naming them. */
const commonSigns = ["a", "0", " ", "\n", "-"];

/**
 * Texts that make a backtracking expression try again at each place: long runs of what it accepts, which end in what it refuses. Runs of
 * its own words and signs, of signs of the common classes, and of pairs of them; at the beginning of a text, behind a word of the
 * expression, and further on.
 */
export function* createHostileTexts(source: string, size: number): Generator<string> {
	const isAnchored = source.startsWith("^");
	const words = findWords(source);
	const heads = new Set(["a", words[0] ?? "- "]);
	const runs = [...findUnits(source, words)].map((unit) => (length: number) => unit.repeat(Math.ceil(length / unit.length)));
	const ends = ["\0", "\n\0"];
	if (isAnchored) {
		for (const run of runs) for (const head of heads) yield `${head}${run(size)}${ends.join("")}`;
		return;
	}
	// several runs in one text: an expression that is read from each place meets them all
	const together = 4;
	for (let first = 0; first < runs.length; first += together) {
		const some = runs.slice(first, first + together);
		for (const head of heads) yield some.map((run) => `\0${head}${run(size / some.length)}${ends.join("")}`).join("");
	}
}

function findUnits(source: string, words: readonly string[]): Set<string> {
	const signs = [...new Set([...findSigns(source).slice(0, 5), ...commonSigns])];
	const [first = "a", second = "0"] = signs;
	return new Set([...signs, ...words.map((word) => `${word} `), first + second, `${first}a`, "A ", " ("]);
}

/** The signs that an expression names, other than letters and digits. */
function findSigns(source: string): string[] {
	const decoded = source.replace(/\\(?:u\{?([0-9a-f]{4,5})\}?|x([0-9a-f]{2}))/gi, (_, long?: string, short?: string) =>
		String.fromCodePoint(Number.parseInt(long ?? short ?? "", 16)),
	);
	return [...new Set([...decoded].filter((sign) => !/[\p{L}\p{N}()|?*+^$\\[\]{}]/u.test(sign)))];
}

/** The words that an expression names. */
function findWords(source: string): string[] {
	const plain = source.replace(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, "|").replace(/\\[a-z](?:\{\w+\})?/gi, "|");
	return [...new Set(plain.match(/[\p{L}\p{N}<>/:@&;.,'"=#-]{2,}(?: [\p{L}\p{N}]+)*/gu) ?? [])].slice(0, 3);
}
