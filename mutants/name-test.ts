import { afterEach, beforeEach } from "vitest";

declare global {
	/** The id of the test that runs, for the switches of the mutants. */
	var __test: string | undefined;
}

beforeEach(({ task }) => {
	globalThis.__test = task.id;
});
afterEach(() => {
	globalThis.__test = undefined;
});
