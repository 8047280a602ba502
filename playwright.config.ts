import { defineConfig } from "@playwright/test";
import { chromium } from "./e2e/chromium.ts";
import { port } from "./e2e/shared-shop.ts";
import { testSettings } from "./test/shop-process.ts";
import { scaledTimeout } from "./test/time-limits.ts";

const { executablePath, args, env } = await chromium(process.env.CHROMIUM);

/** Journeys in a real browser, against the built shop on its own data folder. */
export default defineConfig({
	testDir: "e2e",
	outputDir: "test-results/e2e",
	fullyParallel: true,
	workers: 2,
	timeout: scaledTimeout(60_000),
	expect: { timeout: scaledTimeout(10_000) },
	forbidOnly: true,
	// a test that fails at its first try is wrong, or has found a fault
	retries: 0,
	reporter: [["list"], ["./test/reports/playwright-reporter.ts"]],
	use: {
		baseURL: `http://localhost:${port}`,
		locale: "fr-FR",
		timezoneId: "Europe/Paris",
		contextOptions: { reducedMotion: "reduce" },
		launchOptions: { executablePath, args, env: { ...process.env, ...env } as Record<string, string> },
		screenshot: "only-on-failure",
	},
	webServer: {
		command: "node e2e/fresh-shop.ts",
		url: `http://localhost:${port}/readyz`,
		env: { PORT: String(port), ...testSettings },
		gracefulShutdown: { signal: "SIGTERM", timeout: scaledTimeout(10_000) },
		timeout: scaledTimeout(120_000),
	},
});
