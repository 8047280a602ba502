// npm run test:profile [-- <arguments of the tests>]
// Runs the tests and prints where the processor time went: by part, by file, by test, and how long the cores had nothing to do. Linux only.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProfileRow, profileVariable } from "../test/profile/profile-row.ts";
import { startSampling, type Usage } from "../test/profile/sample-processes.ts";

/** Rows of each table. */
const maxRows = 25;

const folder = mkdtempSync(join(tmpdir(), "extrait-pro-profile-"));
const recorded = join(folder, "tests.jsonl");
writeFileSync(recorded, "");
const child = spawn(process.execPath, ["scripts/test.ts", ...process.argv.slice(2)], {
	stdio: "inherit",
	env: { ...process.env, [profileVariable]: recorded },
});
const stopSampling = startSampling(child.pid ?? 0);
child.once("exit", (code) => {
	print(stopSampling(), readRows());
	rmSync(folder, { recursive: true });
	process.exit(code ?? 1);
});

function readRows(): ProfileRow[] {
	return readFileSync(recorded, "utf8")
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));
}

function print(usage: Usage, rows: readonly ProfileRow[]): void {
	const total = [...usage.secondsByPart.values()].reduce((sum, seconds) => sum + seconds, 0);
	printTable("by part, core-seconds", [...usage.secondsByPart]);
	printTable(
		"by file of unit tests, seconds of its worker",
		rows.filter(({ test }) => test === null).map(({ file, seconds }) => [file, seconds]),
	);
	printTable(
		"by unit test, seconds of its worker",
		rows.filter(({ test }) => test !== null).map(({ file, test, seconds }) => [`${file}: ${test}`, seconds]),
	);
	const { wallSeconds, idleSeconds, idleCoreSeconds, stolenCoreSeconds } = usage;
	console.log(
		`\n${total.toFixed(0)} core-seconds in ${wallSeconds.toFixed(0)} s. Idle: all cores for ${idleSeconds.toFixed(0)} s, ` +
			`${idleCoreSeconds.toFixed(0)} core-seconds in all; other machines had ${stolenCoreSeconds.toFixed(0)}.`,
	);
}

function printTable(title: string, rows: [string, number][]): void {
	console.log(`\n${title}`);
	for (const [name, seconds] of rows.sort(([, one], [, other]) => other - one).slice(0, maxRows))
		console.log(`${seconds.toFixed(1).padStart(8)}  ${name}`);
}
