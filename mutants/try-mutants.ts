import type { Copies } from "./copies.ts";
import type { NamedMutant } from "./instrument.ts";

/**
 * Tries mutants one at a time against the tests that pass by them, the quickest first.
 * @param rounds test files: those of a later round are asked only about what the earlier ones did not notice.
 * @returns the mutants that no test noticed.
 */
export async function tryMutants(
	copies: Copies,
	mutants: readonly NamedMutant[],
	rounds: readonly (readonly string[])[],
	progress: (text: string) => void,
): Promise<NamedMutant[]> {
	let left = mutants;
	for (const tests of rounds) {
		if (left.length === 0 || tests.length === 0) continue;
		progress(`${tests.length} test files without a mutant`);
		const passing = await passingTests(copies, tests, progress);
		progress(`${left.length} mutants`);
		const unnoticed = new Set<NamedMutant>();
		await copies.share(left, async (run, mutant) => {
			for (const { test } of passing.filter(({ seen }) => seen.has(mutant.id))) if ((await run({ mutant: mutant.id, test })).failed) return;
			unnoticed.add(mutant);
		});
		left = left.filter((mutant) => unnoticed.has(mutant));
	}
	return [...left];
}

/** The tests that pass without a mutant, the quickest first, each with the mutants that it passes by. */
async function passingTests(copies: Copies, tests: readonly string[], progress: (text: string) => void) {
	const passing: { test: string; seconds: number; seen: Set<string> }[] = [];
	await copies.share(tests, async (run, test) => {
		const { failed, seconds, seen } = await run({ mutant: null, test });
		// its failure would be taken for one that a mutant caused
		if (failed) progress(`${test} fails without a mutant and is left out: ${failed}`);
		else passing.push({ test, seconds, seen: new Set(seen) });
	});
	return passing.sort((a, b) => a.seconds - b.seconds);
}
