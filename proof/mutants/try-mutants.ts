import type { Copies, Run } from "./copies.ts";
import type { NamedMutant } from "./instrument.ts";
import type { RunResult } from "./worker.ts";

/** Tests of one file that may notice a mutant: those that reach it, or all. */
interface Attempt {
	file: string;
	tests?: readonly string[];
	/** The expected duration. */
	seconds: number;
}

/** A whole file runs only if it takes less: each unnoticed mutant waits for it. Seconds. */
const maxFileSeconds = 40;

/**
 * Runs, for each mutant, the tests that reach it, then the whole files of these tests.
 * @param files the test files.
 * @returns the mutants that no test noticed.
 */
export async function tryMutants(
	copies: Copies,
	mutants: readonly NamedMutant[],
	files: readonly string[],
	progress: (text: string) => void,
): Promise<NamedMutant[]> {
	progress(`${files.length} test files without a mutant`);
	const passing = new Map<string, RunResult>();
	await copies.share(files, async (run, file) => {
		const result = await run({ mutant: null, file });
		// its failure would look like one that a mutant caused
		if (result.failed) progress(`${file} fails without a mutant and is left out: ${result.failed}`);
		else passing.set(file, result);
	});
	progress(`${mutants.length} mutants`);
	const passesAlone = createAloneCheck();
	const unnoticed = new Set<NamedMutant>();
	let tried = 0;
	await copies.share(mutants, async (run, mutant) => {
		if (++tried % 10 === 0) progress(`mutant ${tried}`);
		for (const { file, tests, seconds } of listAttempts(mutant, passing)) {
			const { failed } = await run({ mutant: mutant.id, file, tests, limit: 30 + 4 * seconds });
			if (failed && (tests === undefined || (await passesAlone(run, file, tests)))) return;
		}
		unnoticed.add(mutant);
	});
	return mutants.filter((mutant) => unnoticed.has(mutant));
}

/** Quickest first. Whole files are tried too: a test may affect a later test of its file. */
function listAttempts({ id }: NamedMutant, passing: ReadonlyMap<string, RunResult>): Attempt[] {
	const attempts: Attempt[] = [];
	for (const [file, { passages, seconds, secondsOf }] of passing) {
		const passed = passages.filter(({ mutant }) => mutant === id).map(({ test }) => test);
		if (passed.length === 0) continue;
		const tests = passed.filter((test) => test !== "");
		const left = Object.keys(secondsOf).filter((test) => !tests.includes(test));
		const spared = left.reduce((sum, test) => sum + (secondsOf[test] ?? 0), 0);
		const asWhole = left.length === 0 || seconds < maxFileSeconds;
		if (asWhole) attempts.push({ file, seconds });
		if (tests.length > 0 && (spared > seconds / 2 || !asWhole)) attempts.push({ file, tests, seconds: seconds - spared });
	}
	return attempts.sort((a, b) => a.seconds - b.seconds);
}

/** Checks that tests pass alone: a test that needs an earlier test would fail with any mutant. */
function createAloneCheck() {
	const known = new Map<string, Promise<boolean>>();
	return (run: Run, file: string, tests: readonly string[]): Promise<boolean> => {
		const key = [file, ...tests].join(" ");
		const passes = known.get(key) ?? run({ mutant: "", file, tests }).then(({ failed }) => failed === null);
		known.set(key, passes);
		return passes;
	};
}
