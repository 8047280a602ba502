import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import type { Reporter, TestCase } from "vitest/node";
import { scaledTimeout } from "./test/time-limits.ts";

/** A test that failed once and then passed is no failure, and not forgotten either. */
const tellsFlaky: Reporter = {
	onTestCaseResult(test: TestCase) {
		if (test.diagnostic()?.flaky) console.log(`FLAKY ${test.module.relativeModuleId}: ${test.fullName}`);
	},
};

export default defineConfig({
	test: {
		include: ["{*,{app,server,deploy,docs,scripts,test}/**/*}.test.ts"],
		globalSetup: "./test/setup.ts",
		// vitest leaves a core free, which on two would leave one file at a time, while much of a file is waiting for PostgreSQL
		maxWorkers: Math.max(2, availableParallelism() - 1),
		testTimeout: scaledTimeout(30_000),
		hookTimeout: scaledTimeout(60_000),
		// many start a shop and a database: on a machine that does much else, one may come too late
		retry: 1,
		reporters: ["default", ["json", { outputFile: "test-results/vitest.json" }], tellsFlaky],
	},
});
