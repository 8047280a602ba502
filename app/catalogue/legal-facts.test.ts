import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { legalFacts, listStaleFacts } from "./legal-facts.ts";

// The facts of the law on which texts, prices and periods rest (docs/rules.md, R213).

const advice =
	"compare these facts with their source (docs/questions-pour-les-conseils.md), and set the day in app/catalogue/legal-facts.ts";

test("each was compared with its source in the last twelve months", () => {
	expect(listStaleFacts(new Date()), advice).toEqual([]);
});

test.each([
	["2026-11-26T22:59:59Z", legalFacts.length],
	["2026-11-27T00:00:00Z", 0],
	["2027-11-26T23:59:59Z", 0],
	["2027-11-27T00:00:00Z", legalFacts.length],
])("at %s, %i are to be checked", (now, count) => {
	expect(listStaleFacts(new Date(now))).toHaveLength(count);
});

test("the doctor warns a month before", () => {
	expect(listStaleFacts(new Date("2027-10-26T23:59:59Z"), 11)).toEqual([]);
	expect(listStaleFacts(new Date("2027-10-27T00:00:00Z"), 11)).toHaveLength(legalFacts.length);
});

test("every numbered article that a text or the code cites has a row", () => {
	const sources = globSync("app/**/*.{ts,tsx,md}").filter((path) => !path.includes(".test.") && !path.includes("legal-facts"));
	const cited = sources.flatMap((path) => readFileSync(path, "utf8").match(/\b[LRDA]\d{3}-\d+(-\d+)*\b/g) ?? []);
	expect(new Set(cited).size).toBeGreaterThan(25);
	const known = new Set(legalFacts.flatMap(({ articles }) => articles));
	expect([...new Set(cited)].filter((article) => !known.has(article)).sort()).toEqual([]);
});

test("each article stands in one row", () => {
	const articles = legalFacts.flatMap(({ articles }) => articles);
	expect(articles.filter((article, index) => articles.indexOf(article) !== index)).toEqual([]);
});

test("each names its source", () => {
	for (const { fact, source } of legalFacts) expect(`${fact} — ${source}`).toMatch(/\S — .*(code|CGI|RGPD|loi)/);
});
