import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Code, tests and documents, wherever they lie; nothing that is installed, built or imported. */
const files = globSync(["**/*.{ts,tsx,mjs,md,sql,css,yaml,sh}", ".env.example"], {
	exclude: ["node_modules", "build", ".*/**", "test-results", "playwright-report"],
});

/** Where a pattern matches in these files. */
function listMatches(pattern: RegExp): { path: string; match: string }[] {
	return files.flatMap((path) => [...readFileSync(path, "utf8").matchAll(pattern)].map(([match]) => ({ path, match })));
}

/** The numbers of the rules: « - **R12 The button says … ». */
const numbers = [...readFileSync("docs/rules.md", "utf8").matchAll(/^- \*\*(R\d+) /gm)].map(([, number]) => number);

test("each rule has a number, and no two have the same", () => {
	expect(numbers.length).toBeGreaterThan(30);
	expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});

test("each rule that is cited stands in docs/rules.md", () => {
	// R123-152 is an article of a code of law
	const cited = listMatches(/\bR\d{1,3}\b(?!-\d)/g).filter(({ path }) => path !== "docs/rules.md");
	expect(cited.length).toBeGreaterThan(30);
	expect(cited.filter(({ match }) => !numbers.includes(match))).toEqual([]);
});

test("nothing cites a document that is not in the repository", () => {
	expect(listMatches(/\bdecisions? [A-E]\d+|\b(?:the|la) sp[eé]cification\b.*|\bspecification(?:, section|['’]s).*/gi)).toEqual([]);
});
