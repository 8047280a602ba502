import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["app/**/*.test.ts", "server/**/*.test.ts", "stand-ins/**/*.test.ts"],
		globalSetup: "./server/test-setup.ts",
		testTimeout: 30_000,
		hookTimeout: 60_000,
	},
});
