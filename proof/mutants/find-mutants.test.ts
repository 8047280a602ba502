import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { browserScripts, drawSample, findMutants, findOutdatedRows } from "./find-mutants.ts";

test("draws the same sample wherever the code stands in its file, with every kind", () => {
	const found = findMutants("app/orders");
	const moved = found.map((mutant) => ({ ...mutant, start: mutant.start + 100, end: mutant.end + 100 }));
	const sample = drawSample(found, 100);
	expect(drawSample(moved, 100).map(({ file, became }) => file + became)).toEqual(sample.map(({ file, became }) => file + became));
	expect(new Set(sample.map(({ kind }) => kind))).toEqual(new Set(found.map(({ kind }) => kind)));
});

test("mutates neither tests nor components", () => {
	const files = new Set(findMutants("app/payments").map(({ file }) => file));
	expect([...files].filter((file) => !/\.ts$/.test(file) || /\.test\./.test(file))).toEqual([]);
	expect(files.size).toBeGreaterThan(10);
});

test("leaves out the named scripts of the browser, whose functions take the page's nodes or are hooks, and no other file", () => {
	const isOfBrowser = (file: string) => /HTML\w*Element|Node\.prototype|export function use/.test(readFileSync(file, "utf8"));
	for (const file of browserScripts) expect([file, isOfBrowser(file)]).toEqual([file, true]);
	const files = new Set(findMutants("app/checkout/form").map(({ file }) => file));
	expect(browserScripts.filter((file) => files.has(file))).toEqual([]);
	for (const file of ["app/checkout/form/draft.ts", "app/checkout/form/lines/list-file.ts"]) expect(files).toContain(file);
	expect(findMutants("app/checkout/form/email-correction.ts").length).toBeGreaterThan(0);
});

test("finds each accepted mutant in the code, as often as accepted", () => {
	expect(findOutdatedRows()).toEqual([]);
});
