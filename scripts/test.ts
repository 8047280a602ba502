// npm test: unit and front-door tests on real PostgreSQL, then journeys in a real browser, then a small run of every bench: whether the
// company search keeps its proportions on 50 000 made-up companies, a shop whose processes are killed loses nothing, one that is flooded
// serves its customers, random requests find no fault, and whatever else is measured can be measured. Ends with a line of counts.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { benchNames } from "../bench/names.ts";

const reports = { vitest: "test-results/vitest.json", playwright: "test-results/playwright.json" };
for (const report of Object.values(reports)) rmSync(report, { force: true });

/** @returns the exit code. */
const run = (command: string, args: string[], env: Record<string, string> = {}) =>
	new Promise<number>((ended) => {
		const child = spawn(command, args, { stdio: "inherit", shell: process.platform === "win32", env: { ...process.env, ...env } });
		child.once("error", () => ended(1)).once("exit", (code) => ended(code ?? 1));
	});
const bench = (names: readonly string[]) => run("node", ["bench/run.ts", ...names, "--smoke", "--line"]);

/** Waits most of its time, for customers who think and for processes that were killed: the others run meanwhile. */
const waiting = "faults";

const statuses = [
	await run("vitest", ["run"]),
	await run("playwright", ["test", "--reporter=list,json"], { PLAYWRIGHT_JSON_OUTPUT_NAME: reports.playwright }),
	...(await Promise.all([bench([waiting]), bench(benchNames.filter((name) => name !== waiting))])),
];

const read = (file: string) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {});
const vitest: VitestReport = read(reports.vitest);
const playwright: PlaywrightReport = read(reports.playwright);
const passed = (vitest.numPassedTests ?? 0) + (playwright.stats?.expected ?? 0) + (playwright.stats?.flaky ?? 0);
const failed = (vitest.numFailedTests ?? 0) + (playwright.stats?.unexpected ?? 0);
const skipped = (vitest.numPendingTests ?? 0) + (playwright.stats?.skipped ?? 0);
const broken = statuses.filter((status) => status !== 0).length;

// named at the end, where they are found: a log is long, and often cut at its beginning
for (const { file, name, why } of [...failuresOfVitest(vitest), ...failuresOfPlaywright(playwright)])
	console.log(`\nFAILED ${file}: ${name}\n${why}`);
console.log(`\n${passed} passed, ${Math.max(failed, broken)} failed, ${skipped} skipped`);
process.exit(broken > 0 ? 1 : 0);

interface VitestReport {
	numPassedTests?: number;
	numFailedTests?: number;
	numPendingTests?: number;
	testResults?: { name: string; message?: string; assertionResults: { status: string; fullName: string; failureMessages?: string[] }[] }[];
}

interface PlaywrightReport {
	stats?: { expected: number; unexpected: number; skipped: number; flaky: number };
	suites?: Suite[];
}

interface Suite {
	file: string;
	suites?: Suite[];
	specs?: { title: string; ok: boolean; tests: { results: { error?: { message?: string } }[] }[] }[];
}

interface Failure {
	file: string;
	name: string;
	why: string;
}

/** A file that could not even be read has no test of its own that failed. */
function failuresOfVitest({ testResults = [] }: VitestReport): Failure[] {
	return testResults.flatMap(({ name: file, message, assertionResults }) => [
		...(assertionResults.length === 0 && message ? [{ file, name: "the whole file", why: message }] : []),
		...assertionResults
			.filter(({ status }) => status === "failed")
			.map(({ fullName, failureMessages = [] }) => ({ file, name: fullName, why: failureMessages.join("\n") })),
	]);
}

function failuresOfPlaywright({ suites = [] }: PlaywrightReport): Failure[] {
	const inSuite = ({ file, specs = [], suites: inner = [] }: Suite): Failure[] => [
		...specs
			.filter(({ ok }) => !ok)
			.map(({ title, tests }) => ({
				file,
				name: title,
				why: tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? "")).join("\n"),
			})),
		...inner.flatMap(inSuite),
	];
	return suites.flatMap(inSuite);
}
