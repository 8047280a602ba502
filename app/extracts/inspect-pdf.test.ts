import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runConfined } from "./inspect-pdf.server.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "confined-")));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (source: string, maxCpuMs = 10_000) => {
	const program = join(folder, `${crypto.randomUUID()}.mjs`);
	writeFileSync(program, source);
	return runConfined(program, { readable: [program], input: new TextEncoder().encode("%PDF-"), maxCpuMs });
};

/** What a file could do that had taken over the inspector. */
const takenOver = `
	import { execFileSync } from "node:child_process";
	import { readFileSync, writeFileSync } from "node:fs";
	const attempts = {
		read: () => readFileSync("/etc/passwd"),
		write: () => writeFileSync(${JSON.stringify(join(folder, "written"))}, "x"),
		start: () => execFileSync(process.execPath, ["--version"]),
		evaluate: () => new Function("return 1")(),
		secrets: () => { if (Object.keys(process.env).length === 0) throw new Error(); },
	};
	const done = Object.keys(attempts).filter((name) => {
		try { attempts[name](); return true; } catch { return false; }
	});
	const chunks = [];
	for await (const chunk of process.stdin) chunks.push(chunk);
	console.log(JSON.stringify({ done, heard: Buffer.concat(chunks).toString(), longest: process.argv[2] }));`;

test("who reads a file that others made reads nothing else, writes nothing, starts nothing and knows no secret", async () => {
	expect(JSON.parse((await run(takenOver)) ?? "")).toEqual({ done: [], heard: "%PDF-", longest: "10000" });
});

test("a program that is ended from outside has no answer; one that does not work is a fault, with its own words", async () => {
	expect(await run('process.kill(process.pid, "SIGKILL")')).toBeNull();
	expect(await run("process.exit(134)")).toBeNull(); // as V8 does when its memory is full
	await expect(run('throw new Error("a module is missing")')).rejects.toThrow("a module is missing");
});

test("one that computes nothing and waits for ever is ended by the clock", async () => {
	expect(await run("setInterval(() => {}, 1000)", 20)).toBeNull();
});
