// Runs test files in a copy of the shop, one at a time, with one mutant or none. The test runner and its database stay open in between.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createVitest } from "vitest/node";

export interface Asked {
	/** The one that is on; with none, the mutants that the test passes by are told. */
	mutant: string | null;
	/** A test file, its path from the project's folder. */
	test: string;
}

export interface Answered {
	/** The first test that failed, or null. */
	failed: string | null;
	seconds: number;
	/** The mutants that were passed by. */
	seen: string[];
}

const vitest = await createVitest("test", { watch: false, retry: 0, bail: 1, reporters: [{}], maxWorkers: 1 });

process.on("message", async ({ mutant, test }: Asked) => {
	writeFileSync(".mutant", mutant ?? "");
	if (mutant === null) writeFileSync(".mutants-seen", "");
	else rmSync(".mutants-seen", { force: true });
	const started = performance.now();
	const specifications = await vitest.globTestSpecifications([test]);
	const { testModules } = await vitest.runTestSpecifications(specifications);
	const answered: Answered = {
		failed: null,
		seconds: (performance.now() - started) / 1000,
		seen: existsSync(".mutants-seen") ? readFileSync(".mutants-seen", "utf8").split("\n").filter(Boolean) : [],
	};
	if (specifications.length === 0) answered.failed = "there is no such test file";
	// what earlier runs left is told again: only this one counts
	for (const module of testModules.filter(({ moduleId }) => specifications.some((asked) => asked.moduleId === moduleId))) {
		const failed = [...module.children.allTests("failed")][0];
		if (failed) answered.failed = failed.fullName;
		else if (module.state() === "failed") answered.failed = module.errors()[0]?.message ?? "the whole file";
	}
	process.send?.(answered);
});

process.on("disconnect", async () => {
	await vitest.close();
	process.exit();
});
