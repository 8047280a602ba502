// Says which test runs, to the switches of the mutants: in this process and in those that the test starts, which inherit it.
import { afterEach, beforeEach } from "vitest";

beforeEach(({ task }) => {
	process.env.TEST_ID = task.id;
});
afterEach(() => {
	delete process.env.TEST_ID;
});
