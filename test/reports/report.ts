import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The results of one test runner. */
export interface Report {
	passed: number;
	failed: number;
	skipped: number;
	failures: { file: string; name: string; why: string }[];
}

const runners = ["vitest", "playwright"] as const;
/** The folder for the reports of one `npm test`; several may run at once. */
const variable = "TEST_REPORTS";

export function createReportsFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-reports-"));
	process.env[variable] = folder;
	return folder;
}

/** Does nothing without `npm test`. */
export function writeReport(runner: (typeof runners)[number], report: Report): void {
	const folder = process.env[variable];
	if (folder) writeFileSync(join(folder, runner), JSON.stringify(report));
}

/**
 * Prints all failures at the end, because long logs are often cut at the beginning.
 * @param broken commands that failed.
 * @param left what was not tried.
 */
export function printReports(folder: string, broken: readonly string[], left: readonly string[]): void {
	const files = runners.map((runner) => join(folder, runner)).filter((file) => existsSync(file));
	const reports: Report[] = files.map((file) => JSON.parse(readFileSync(file, "utf8")));
	rmSync(folder, { recursive: true });
	for (const { file, name, why } of reports.flatMap(({ failures }) => failures)) console.log(`\nFAILED ${file}: ${name}\n${why}`);
	for (const command of broken) console.log(`\nFAILED ${command}`);
	const sum = (count: "passed" | "failed" | "skipped") => reports.reduce((total, report) => total + report[count], 0);
	if (left.length > 0) console.log(`\nLeft to npm run test:rest: ${left.join("; ")}.`);
	console.log(`\n${sum("passed")} passed, ${Math.max(sum("failed"), broken.length)} failed, ${sum("skipped")} skipped`);
}
