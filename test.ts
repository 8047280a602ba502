// npm test: unit and front-door tests on real PostgreSQL, then journeys in a real browser, then whether
// the company search keeps its proportions on 50 000 made-up companies, then whether a shop whose processes are killed loses
// nothing; ends with a line of counts.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";

const reports = { vitest: "test-results/vitest.json", playwright: "test-results/playwright.json" };
for (const report of Object.values(reports)) rmSync(report, { force: true });

const run = (command: string, args: string[], env: Record<string, string> = {}) =>
	spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32", env: { ...process.env, ...env } }).status ?? 1;

const statuses = [
	run("vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${reports.vitest}`]),
	run("playwright", ["test", "--reporter=list,json"], { PLAYWRIGHT_JSON_OUTPUT_NAME: reports.playwright }),
	run("node", ["bench/run.ts", "search", "--smoke", "--line"]),
	run("node", ["bench/run.ts", "faults", "--smoke", "--line"]),
];

const read = (file: string) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {});
const vitest: { numPassedTests?: number; numFailedTests?: number; numPendingTests?: number } = read(reports.vitest);
const playwright: { stats?: { expected: number; unexpected: number; skipped: number; flaky: number } } = read(reports.playwright);
const passed = (vitest.numPassedTests ?? 0) + (playwright.stats?.expected ?? 0) + (playwright.stats?.flaky ?? 0);
const failed = (vitest.numFailedTests ?? 0) + (playwright.stats?.unexpected ?? 0);
const skipped = (vitest.numPendingTests ?? 0) + (playwright.stats?.skipped ?? 0);
const broken = statuses.filter((status) => status !== 0).length;

console.log(`\n${passed} passed, ${Math.max(failed, broken)} failed, ${skipped} skipped`);
process.exit(broken > 0 ? 1 : 0);
