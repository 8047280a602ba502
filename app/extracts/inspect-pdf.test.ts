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

/** Tries what a malicious file could do with control of the inspector. */
const attackProgram = `
	import { execFileSync } from "node:child_process";
	import { readFileSync, writeFileSync } from "node:fs";
	const attempts = {
		read: () => readFileSync("/etc/passwd"),
		write: () => writeFileSync(${JSON.stringify(join(folder, "written"))}, "x"),
		start: () => execFileSync(process.execPath, ["--version"]),
		evaluate: () => new Function("return 1")(),
		secrets: () => { if (Object.keys(process.env).length === 0) throw new Error(); },
	};
	const succeeded = Object.keys(attempts).filter((name) => {
		try { attempts[name](); return true; } catch { return false; }
	});
	const chunks = [];
	for await (const chunk of process.stdin) chunks.push(chunk);
	console.log(JSON.stringify({ succeeded, input: Buffer.concat(chunks).toString(), cpuLimit: process.argv[2] }));`;

test("the confined process reads no other file, writes and starts nothing, and has no secret", async () => {
	expect(JSON.parse((await run(attackProgram)) ?? "")).toEqual({ succeeded: [], input: "%PDF-", cpuLimit: "10000" });
});

test("returns null for a killed program; throws the error of a failing one", async () => {
	expect(await run('process.kill(process.pid, "SIGKILL")')).toBeNull();
	expect(await run("process.exit(134)")).toBeNull(); // V8 exits like this when it runs out of memory
	await expect(run('throw new Error("a module is missing")')).rejects.toThrow("a module is missing");
});

test("stops a waiting program after the wall-clock limit", async () => {
	expect(await run("setInterval(() => {}, 1000)", 20)).toBeNull();
});
