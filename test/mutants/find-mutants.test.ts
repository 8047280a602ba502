import { expect, test } from "vitest";
import { findMutants, misfits, sampleOf } from "./find-mutants.ts";

test("the sample is the same wherever the code stands in its file, and holds every kind", () => {
	const found = findMutants("app/orders");
	const moved = found.map((mutant) => ({ ...mutant, start: mutant.start + 100, end: mutant.end + 100 }));
	const sample = sampleOf(found, 100);
	expect(sampleOf(moved, 100).map(({ file, became }) => file + became)).toEqual(sample.map(({ file, became }) => file + became));
	expect(new Set(sample.map(({ kind }) => kind))).toEqual(new Set(found.map(({ kind }) => kind)));
});

test("tests and what a page draws are left alone", () => {
	const files = new Set(findMutants("app/payments").map(({ file }) => file));
	expect([...files].filter((file) => !/\.ts$/.test(file) || /\.test\./.test(file))).toEqual([]);
	expect(files.size).toBeGreaterThan(10);
});

test("each accepted mutant is still there, and nowhere else", () => {
	expect(misfits()).toEqual([]);
});
