import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** A clone in which nothing is installed or built, with an npm that only says that it installs. */
const clone = mkdtempSync(join(tmpdir(), "extrait-pro-clone-"));
const lines = (text: string) => text.trim().split("\n");

beforeAll(() => {
	const write = (name: string, content: string, mode = 0o644) => writeFileSync(join(clone, name), content, { mode });
	for (const folder of ["bin", "scripts"]) mkdirSync(join(clone, folder));
	write("package-lock.json", "{}");
	write("scripts/build.ts", 'console.log("built");\n');
	write("program.ts", 'console.log("the answer", process.argv[2]);\n');
	write("bin/npm", '#!/bin/sh\necho "added 1 package by $*"\n', 0o755);
});
afterAll(() => rmSync(clone, { recursive: true }));

test("a command on a fresh clone prints its own answer alone, and what prepares it elsewhere", () => {
	const { stdout, stderr, status } = spawnSync(process.execPath, [resolve("run.mjs"), "--build", "program.ts", "is 42"], {
		cwd: clone,
		encoding: "utf8",
		env: { PATH: [join(clone, "bin"), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) },
	});
	expect(status, stderr).toBe(0);
	expect(lines(stdout)).toEqual(["the answer is 42"]);
	expect(lines(stderr)).toEqual([
		"Installing the dependencies…",
		expect.stringMatching(/^added 1 package by ci .*--include=dev --include=optional/),
		"Building the shop…",
		"built",
	]);
});
