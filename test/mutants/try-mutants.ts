import type { Copies, Run } from "./copies.ts";
import type { NamedMutant } from "./instrument.ts";
import type { RunResult } from "./worker.ts";

/** Tests of one file that may notice a mutant: those that pass by it, or all of the file. */
interface Attempt {
	file: string;
	tests?: readonly string[];
	/** How long it may take. */
	seconds: number;
}

/** Seconds that a test file may take to be asked as a whole, which each unnoticed mutant waits for. */
const longestWhole = 20;

/**
 * Tries mutants one at a time against the tests that pass by them, and against the whole files of these tests.
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
		const answered = await run({ mutant: null, file });
		// its failure would be taken for one that a mutant caused
		if (answered.failed) progress(`${file} fails without a mutant and is left out: ${answered.failed}`);
		else passing.set(file, answered);
	});
	progress(`${mutants.length} mutants`);
	const passesAlone = passesWithoutMutant();
	const unnoticed = new Set<NamedMutant>();
	let tried = 0;
	await copies.share(mutants, async (run, mutant) => {
		if (++tried % 10 === 0) progress(`mutant ${tried}`);
		for (const { file, tests, seconds } of attemptsOf(mutant, passing)) {
			const { failed } = await run({ mutant: mutant.id, file, tests, limit: 30 + 4 * seconds });
			if (failed && (tests === undefined || (await passesAlone(run, file, tests)))) return;
		}
		unnoticed.add(mutant);
	});
	return mutants.filter((mutant) => unnoticed.has(mutant));
}

/** The quickest first: what a test leaves behind for another in its file may be noticed sooner than by the tests of a slow one. */
function attemptsOf({ id }: NamedMutant, passing: ReadonlyMap<string, RunResult>): Attempt[] {
	const attempts: Attempt[] = [];
	for (const [file, { passages, seconds, secondsOf }] of passing) {
		const passed = passages.filter(({ mutant }) => mutant === id).map(({ test }) => test);
		if (passed.length === 0) continue;
		const tests = passed.filter((test) => test !== "");
		const left = Object.keys(secondsOf).filter((test) => !tests.includes(test));
		const spared = left.reduce((sum, test) => sum + (secondsOf[test] ?? 0), 0);
		const asWhole = left.length === 0 || seconds < longestWhole;
		if (asWhole) attempts.push({ file, seconds });
		if (tests.length > 0 && (spared > seconds / 2 || !asWhole)) attempts.push({ file, tests, seconds: seconds - spared });
	}
	return attempts.sort((a, b) => a.seconds - b.seconds);
}

/** Whether some tests of a file pass by themselves, too: one that needs the test before it would fail with any mutant. */
function passesWithoutMutant() {
	const known = new Map<string, Promise<boolean>>();
	return (run: Run, file: string, tests: readonly string[]): Promise<boolean> => {
		const key = [file, ...tests].join(" ");
		const passes = known.get(key) ?? run({ mutant: "", file, tests }).then(({ failed }) => failed === null);
		known.set(key, passes);
		return passes;
	};
}
