import { defineConfig } from "vitest/config";
import type { Reporter, TestCase } from "vitest/node";
import { scaledTimeout } from "./time-limits.ts";

/** A test that failed once and then passed is no failure, and not forgotten either. */
const tellsFlaky: Reporter = {
	onTestCaseResult(test: TestCase) {
		if (test.diagnostic()?.flaky) console.log(`FLAKY ${test.module.relativeModuleId}: ${test.fullName}`);
	},
};

export default defineConfig({
	test: {
		include: ["*.test.ts", "app/**/*.test.ts", "server/**/*.test.ts", "stand-ins/**/*.test.ts", "mutants/**/*.test.ts"],
		globalSetup: "./server/test-setup.ts",
		testTimeout: scaledTimeout(30_000),
		hookTimeout: scaledTimeout(60_000),
		// many start a shop and a database: on a machine that does much else, one may come too late
		retry: 1,
		reporters: ["default", ["json", { outputFile: "test-results/vitest.json" }], tellsFlaky],
	},
});
