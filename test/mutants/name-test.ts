// Says which test runs, to the switches of the mutants: in this process, and by a file in those that the test starts, whatever else these are told.
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach } from "vitest";

const told = globalThis as { __test?: string };

function tell(test: string) {
	told.__test = test;
	writeFileSync(".test", test);
}

tell("");
beforeEach(({ task }) => tell(task.id));
afterEach(() => tell(""));
