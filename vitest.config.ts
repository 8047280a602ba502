import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { scaledTimeout } from "./test/time-limits.ts";

export default defineConfig({
	oxc: { jsx: { runtime: "automatic", development: false } },
	test: {
		include: ["{*,{app,server,deploy,docs,proof,scripts,test}/**/*}.test.ts"],
		globalSetup: "./test/setup.ts",
		// the files of a worker share the modules they load: to load the shop anew for each would take a third of the time
		isolate: false,
		// a worker often waits: for PostgreSQL, for jobs, and on some machines for the disk
		maxWorkers: availableParallelism() + 1,
		// React and the shop as they run in production; the development build of React takes twice the processor time
		env: { NODE_ENV: "production" },
		testTimeout: scaledTimeout(60_000),
		hookTimeout: scaledTimeout(120_000),
		setupFiles: process.env.TEST_PROFILE ? ["./test/profile/record-cpu.ts"] : [],
		reporters: ["default", "./test/reports/vitest-reporter.ts"],
	},
});
