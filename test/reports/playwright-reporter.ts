import { relative } from "node:path";
import type { FullConfig, Reporter, Suite, TestError } from "@playwright/test/reporter";
import { writeReport } from "./report.ts";

/** Counts Playwright's tests for the last line of `npm test`. */
export default class PlaywrightReporter implements Reporter {
	#suite: Suite | undefined;
	#errors: TestError[] = [];

	onBegin(_: FullConfig, suite: Suite): void {
		this.#suite = suite;
	}

	/** An error outside of any test. */
	onError(error: TestError): void {
		this.#errors.push(error);
	}

	onEnd(): void {
		const tests = this.#suite?.allTests() ?? [];
		const count = (...outcomes: string[]) => tests.filter((test) => outcomes.includes(test.outcome())).length;
		const failures = [
			...tests
				.filter((test) => test.outcome() === "unexpected")
				.map(({ location, title, results }) => ({
					file: relative("", location.file),
					name: title,
					why: results.map(({ error }) => error?.message ?? "").join("\n"),
				})),
			...this.#errors.map(({ message = "" }) => ({ file: "playwright", name: "outside of a test", why: message })),
		];
		writeReport("playwright", { passed: count("expected", "flaky"), failed: failures.length, skipped: count("skipped"), failures });
	}

	/** Another reporter prints the progress. */
	printsToStdio(): boolean {
		return false;
	}
}
