// Tells the mutants' switches which test runs: by a global in this process, by a file in the processes that the test starts.
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach } from "vitest";

const globals = globalThis as { __test?: string };

function setRunningTest(test: string) {
	globals.__test = test;
	writeFileSync(".test", test);
}

setRunningTest("");
beforeEach(({ task }) => setRunningTest(task.id));
afterEach(() => setRunningTest(""));
