// Runs test files in a copy of the shop, one at a time, with one mutant or none. The test runner and its database stay open in between.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createVitest } from "vitest/node";
import { scaledTimeout } from "../../test/time-limits.ts";

export interface RunRequest {
	/** The active mutant, or "" for none. Null also records the mutants that are reached. */
	mutant: string | null;
	/** Path of a test file from the project's folder. */
	file: string;
	/** The ids of the tests to run; all by default. */
	tests?: readonly string[];
	/** Seconds after which the tests are killed and count as failed: an endless loop cannot be cancelled. */
	limit?: number;
}

export interface RunResult {
	/** The first test that failed, or null. */
	failed: string | null;
	seconds: number;
	/** The mutants that each test reached; the test "" means outside of tests. */
	passages: { mutant: string; test: string }[];
	/** The seconds of each test that ran, by its id. */
	secondsOf: Record<string, number>;
}

const vitest = await createVitest("test", {
	watch: false,
	// a test that passes at its second try counts as passed: chance must not count as a mutant's failure
	retry: 1,
	testTimeout: scaledTimeout(10_000),
	hookTimeout: scaledTimeout(20_000),
	bail: 1,
	reporters: [{}],
	maxWorkers: 1,
	// each mutant needs fresh modules
	isolate: true,
	// copies do not last
	fsModuleCache: false,
	setupFiles: "./proof/mutants/name-test.ts",
});

process.on("message", async ({ mutant, file, tests, limit }: RunRequest) => {
	writeFileSync(".mutant", mutant ?? "");
	if (mutant === null) writeFileSync(".mutants-seen", "");
	else rmSync(".mutants-seen", { force: true });
	const started = performance.now();
	const specification = vitest.getRootProject().createSpecification(resolve(file), tests && { testIds: [...tests] });
	let hangs = false;
	const timer =
		limit &&
		setTimeout(() => {
			hangs = true;
			// the first call asks, the second kills
			for (let i = 0; i < 2; i++) void vitest.cancelCurrentRun("keyboard-input");
		}, limit * 1000);
	const { testModules } = await vitest.runTestSpecifications([specification]);
	clearTimeout(timer);
	const result: RunResult = {
		failed: hangs ? "it does not end" : null,
		seconds: (performance.now() - started) / 1000,
		passages: existsSync(".mutants-seen") ? parsePassages(readFileSync(".mutants-seen", "utf8")) : [],
		secondsOf: {},
	};
	// the list includes modules of earlier runs
	for (const module of testModules.filter(({ moduleId }) => moduleId === specification.moduleId)) {
		const failed = [...module.children.allTests("failed")][0];
		if (failed) result.failed = failed.fullName;
		else if (module.state() === "failed") result.failed = module.errors()[0]?.message ?? "the whole file";
		for (const test of module.children.allTests()) result.secondsOf[test.id] = (test.diagnostic()?.duration ?? 0) / 1000;
	}
	process.send?.(result);
});

process.on("disconnect", async () => {
	await vitest.cancelCurrentRun("keyboard-input");
	await vitest.close();
	process.exit();
});

/** Parses lines of a mutant's id and a test's id. */
function parsePassages(lines: string): RunResult["passages"] {
	return lines
		.split("\n")
		.filter(Boolean)
		.map((line) => {
			const [mutant = "", test = ""] = line.split(" ");
			return { mutant, test };
		});
}
