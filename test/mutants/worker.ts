// Runs test files in a copy of the shop, one at a time, with one mutant or none. The test runner and its database stay open in between.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createVitest } from "vitest/node";
import { scaledTimeout } from "../time-limits.ts";

export interface RunRequest {
	/** The one that is on, or ""; with null, the mutants that are passed by are told. */
	mutant: string | null;
	/** A test file, its path from the project's folder. */
	file: string;
	/** The ids of the tests that run: all without it. */
	tests?: readonly string[];
	/** Seconds after which they are ended by force, as failed: a loop without end listens to nobody. */
	limit?: number;
}

export interface RunResult {
	/** The first test that failed, or null. */
	failed: string | null;
	seconds: number;
	/** Which mutants were passed by in which test: "" is outside of any. */
	passages: { mutant: string; test: string }[];
	/** The seconds of each test that ran, by its id. */
	secondsOf: Record<string, number>;
}

const vitest = await createVitest("test", {
	watch: false,
	// a test that fails once and then passes is no failure, as in the suite
	retry: 1,
	testTimeout: scaledTimeout(10_000),
	hookTimeout: scaledTimeout(20_000),
	bail: 1,
	reporters: [{}],
	maxWorkers: 1,
	// each mutant begins with modules that no other has run
	isolate: true,
	// a copy is used once
	fsModuleCache: false,
	setupFiles: "./test/mutants/name-test.ts",
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
			// the first one asks, the second one kills
			for (let i = 0; i < 2; i++) void vitest.cancelCurrentRun("keyboard-input");
		}, limit * 1000);
	const { testModules } = await vitest.runTestSpecifications([specification]);
	clearTimeout(timer);
	const answered: RunResult = {
		failed: hangs ? "it does not end" : null,
		seconds: (performance.now() - started) / 1000,
		passages: existsSync(".mutants-seen") ? passagesIn(readFileSync(".mutants-seen", "utf8")) : [],
		secondsOf: {},
	};
	// what earlier runs left is told again: only this one counts
	for (const module of testModules.filter(({ moduleId }) => moduleId === specification.moduleId)) {
		const failed = [...module.children.allTests("failed")][0];
		if (failed) answered.failed = failed.fullName;
		else if (module.state() === "failed") answered.failed = module.errors()[0]?.message ?? "the whole file";
		for (const test of module.children.allTests()) answered.secondsOf[test.id] = (test.diagnostic()?.duration ?? 0) / 1000;
	}
	process.send?.(answered);
});

process.on("disconnect", async () => {
	await vitest.cancelCurrentRun("keyboard-input");
	await vitest.close();
	process.exit();
});

/** Lines of a mutant's id and a test's. */
function passagesIn(lines: string): RunResult["passages"] {
	return lines
		.split("\n")
		.filter(Boolean)
		.map((line) => {
			const [mutant = "", test = ""] = line.split(" ");
			return { mutant, test };
		});
}
