import type { Reporter, TestModule } from "vitest/node";
import { writeReport } from "./report.ts";

/** Counts vitest's tests for the last line of `npm test`. */
export default class VitestReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
		const tests = modules.flatMap((module) => [...module.children.allTests()]);
		const count = (state: string) => tests.filter((test) => test.result().state === state).length;
		const failures = [
			...tests.map((test) => ({ file: test.module.relativeModuleId, name: test.fullName, errors: test.result().errors ?? [] })),
			// errors outside of any test: a hook that failed, a file that cannot be read
			...modules.flatMap((module) =>
				[...module.children.allSuites()].map((suite) => ({ file: module.relativeModuleId, name: suite.fullName, errors: suite.errors() })),
			),
			...modules.map((module) => ({ file: module.relativeModuleId, name: "the whole file", errors: module.errors() })),
			{ file: "vitest", name: "unhandled errors", errors: unhandled },
		]
			.filter(({ errors }) => errors.length > 0)
			.map(({ errors, ...failure }) => ({ ...failure, why: errors.map(({ message }) => message).join("\n") }));
		writeReport("vitest", { passed: count("passed"), failed: failures.length, skipped: count("skipped"), failures });
	}
}
