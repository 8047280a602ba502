import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** What a runner of tests found. */
export interface Report {
	passed: number;
	failed: number;
	skipped: number;
	failures: { file: string; name: string; why: string }[];
}

const folder = "test-results";
const runners = ["vitest", "playwright"] as const;
const fileOf = (runner: string) => `${folder}/${runner}-report.json`;

export function deleteReports(): void {
	for (const runner of runners) rmSync(fileOf(runner), { force: true });
}

export function writeReport(runner: (typeof runners)[number], report: Report): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(fileOf(runner), JSON.stringify(report));
}

/** Prints the failures last, where they are found: a log is long, and often cut at its beginning. @param broken commands that failed. */
export function printReports(broken: readonly string[]): void {
	const reports: Report[] = runners.flatMap((runner) =>
		existsSync(fileOf(runner)) ? JSON.parse(readFileSync(fileOf(runner), "utf8")) : [],
	);
	for (const { file, name, why } of reports.flatMap(({ failures }) => failures)) console.log(`\nFAILED ${file}: ${name}\n${why}`);
	for (const command of broken) console.log(`\nFAILED ${command}`);
	const sum = (count: "passed" | "failed" | "skipped") => reports.reduce((total, report) => total + report[count], 0);
	console.log(`\n${sum("passed")} passed, ${Math.max(sum("failed"), broken.length)} failed, ${sum("skipped")} skipped`);
}
