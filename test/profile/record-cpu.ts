// Records the processor time that each test and file takes in this worker, for scripts/profile-tests.ts.
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { type ProfileRow, profileVariable } from "./profile-row.ts";

const file = process.env[profileVariable] ?? "";
const record = (row: ProfileRow) => appendFileSync(file, `${JSON.stringify(row)}\n`);

/** Seconds that this process has used. */
function readSeconds(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1e6;
}

let fileStart = 0;
let testStart = 0;
beforeAll(() => {
	fileStart = readSeconds();
});
beforeEach(() => {
	testStart = readSeconds();
});
afterEach(({ task }) => record({ file: relative("", task.file.filepath), test: task.name, seconds: readSeconds() - testStart }));
// biome-ignore lint/correctness/noEmptyPattern: Vitest requires a destructured first parameter
afterAll(({}, suite) => record({ file: relative("", suite.file.filepath), test: null, seconds: readSeconds() - fileStart }));
