import { expect, test } from "vitest";
import type { Copies, Run } from "./copies.ts";
import type { NamedMutant } from "./instrument.ts";
import { tryMutants } from "./try-mutants.ts";
import type { RunRequest } from "./worker.ts";

const mutants = ["a", "b"].map((id): NamedMutant => ({ id, file: "sum.ts", kind: "boundary", start: 0, end: 1, was: "<", became: "<=" }));

/** Copies that answer as they are told. */
function told(answer: (asked: RunRequest) => string | null, passages: Record<string, [mutant: string, test: string][]>) {
	const asked: RunRequest[] = [];
	const run: Run = async (one) => {
		asked.push(one);
		return {
			failed: answer(one),
			seconds: one.file === "slow" ? 9 : 3,
			passages: (passages[one.file] ?? []).map(([mutant, test]) => ({ mutant, test })),
			secondsOf: { first: 0.5, second: one.file === "slow" ? 7 : 2 },
		};
	};
	const copies: Copies = {
		async share(list, work) {
			for (const one of list) await work(run, one);
		},
		close: async () => {},
	};
	return { copies, asked };
}

const files = ["slow", "quick"];
const left = async ({ copies }: { copies: Copies }) => (await tryMutants(copies, mutants, files, () => {})).map(({ id }) => id);
const withMutants = (asked: RunRequest[]) =>
	asked.filter(({ mutant }) => mutant).map(({ mutant, file, tests }) => [mutant, file, tests ?? "all"]);

test("asks the quickest first: whole files, and before them the tests that pass by a mutant where those take less than half as long", async () => {
	const shop = told(() => null, {
		slow: [
			["a", "first"],
			["a", ""],
		],
		quick: [
			["a", "second"],
			["b", ""],
		],
	});
	expect(await left(shop)).toEqual(["a", "b"]);
	expect(withMutants(shop.asked)).toEqual([
		["a", "slow", ["first"]],
		["a", "quick", "all"],
		["a", "slow", "all"],
		["b", "quick", "all"],
	]);
});

test("a mutant is noticed by the first test that fails, and not by one that fails alone anyway", async () => {
	const needsTheOther = ({ tests }: RunRequest) => (tests ? "second" : null);
	expect(await left(told(needsTheOther, { quick: [["a", "first"]], slow: [["b", ""]] }))).toEqual(["a", "b"]);
	const notices = told(({ mutant }) => (mutant ? "first" : null), {
		quick: [["a", "first"]],
		slow: [
			["a", "first"],
			["b", ""],
		],
	});
	expect(await left(notices)).toEqual([]);
	expect(withMutants(notices.asked)).toEqual([
		["a", "quick", ["first"]],
		["b", "slow", "all"],
	]);
});

test("a file that fails without a mutant says nothing", async () => {
	expect(await left(told(({ file }) => (file === "quick" ? "first" : null), { quick: [["a", "first"]], slow: [["b", "first"]] }))).toEqual([
		"a",
		"b",
	]);
});
