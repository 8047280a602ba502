import { expect, test } from "vitest";
import type { Copies, Run } from "./copies.ts";
import type { NamedMutant } from "./instrument.ts";
import { tryMutants } from "./try-mutants.ts";
import type { RunRequest } from "./worker.ts";

const mutants = ["a", "b"].map((id): NamedMutant => ({ id, file: "sum.ts", kind: "boundary", start: 0, end: 1, was: "<", became: "<=" }));

/** Fake copies with the given answers. */
function fakeCopies(answer: (request: RunRequest) => string | null, passages: Record<string, [mutant: string, test: string][]>) {
	const requests: RunRequest[] = [];
	const run: Run = async (request) => {
		requests.push(request);
		return {
			failed: answer(request),
			seconds: request.file === "slow" ? 9 : 3,
			passages: (passages[request.file] ?? []).map(([mutant, test]) => ({ mutant, test })),
			secondsOf: { first: 0.5, second: request.file === "slow" ? 7 : 2 },
		};
	};
	const copies: Copies = {
		async share(list, work) {
			for (const one of list) await work(run, one);
		},
		close: async () => {},
	};
	return { copies, requests };
}

const files = ["slow", "quick"];
const listUnnoticed = async ({ copies }: { copies: Copies }) => (await tryMutants(copies, mutants, files, () => {})).map(({ id }) => id);
const withMutants = (requests: RunRequest[]) =>
	requests.filter(({ mutant }) => mutant).map(({ mutant, file, tests }) => [mutant, file, tests ?? "all"]);

test("runs the quickest tests first: single tests that reach a mutant if they take less than half as long as their file", async () => {
	const shop = fakeCopies(() => null, {
		slow: [
			["a", "first"],
			["a", ""],
		],
		quick: [
			["a", "second"],
			["b", ""],
		],
	});
	expect(await listUnnoticed(shop)).toEqual(["a", "b"]);
	expect(withMutants(shop.requests)).toEqual([
		["a", "slow", ["first"]],
		["a", "quick", "all"],
		["a", "slow", "all"],
		["b", "quick", "all"],
	]);
});

test("counts a failing test unless it also fails alone without the mutant", async () => {
	const needsTheOther = ({ tests }: RunRequest) => (tests ? "second" : null);
	expect(await listUnnoticed(fakeCopies(needsTheOther, { quick: [["a", "first"]], slow: [["b", ""]] }))).toEqual(["a", "b"]);
	const notices = fakeCopies(({ mutant }) => (mutant ? "first" : null), {
		quick: [["a", "first"]],
		slow: [
			["a", "first"],
			["b", ""],
		],
	});
	expect(await listUnnoticed(notices)).toEqual([]);
	expect(withMutants(notices.requests)).toEqual([
		["a", "quick", ["first"]],
		["b", "slow", "all"],
	]);
});

test("ignores a file that fails without a mutant", async () => {
	expect(
		await listUnnoticed(fakeCopies(({ file }) => (file === "quick" ? "first" : null), { quick: [["a", "first"]], slow: [["b", "first"]] })),
	).toEqual(["a", "b"]);
});
