import { globSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { maxConfined, runConfined } from "./inspect-pdf.server.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "confined-")));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (source: string, maxCpuMs = 10_000, maxOutputBytes?: number) => {
	const program = join(folder, `${crypto.randomUUID()}.mjs`);
	writeFileSync(program, source);
	return runConfined(program, { readable: [program], input: new TextEncoder().encode("%PDF-"), maxCpuMs, maxOutputBytes });
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

test("takes no more than the longest output", async () => {
	const write = (bytes: number) => run(`process.stdout.write("x".repeat(${bytes}))`, 10_000, 5000);
	expect([await write(5000), await write(5001)]).toEqual(["x".repeat(5000), null]);
});

test("stops a waiting program after the wall-clock limit", async () => {
	expect(await run("setInterval(() => {}, 1000)", 20)).toBeNull();
});

test("no confined program calls process.exit, which sometimes waits for ever", () => {
	const programs = globSync("app/fulfilment/**/*.server.ts").filter((file) => readFileSync(file, "utf8").includes("\nwatchLimits();"));
	expect(programs.length).toBe(4);
	expect(programs.filter((file) => readFileSync(file, "utf8").includes("process.exit"))).toEqual([]);
});

test("a burst runs a few processes at once, and each has its turn", async () => {
	const countProcesses = () => process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length;
	const before = countProcesses();
	let most = 0;
	const watch = setInterval(() => {
		most = Math.max(most, countProcesses() - before);
	}, 5);
	const outputs = await Promise.allSettled(
		Array.from({ length: 4 * maxConfined }, (_, index) =>
			run(index === 1 ? 'throw new Error("broken")' : `setTimeout(() => process.stdout.write("${index}"), 100)`),
		),
	);
	clearInterval(watch);
	expect(most).toBeGreaterThan(0);
	expect(most).toBeLessThanOrEqual(maxConfined);
	expect(outputs.map((output) => (output.status === "fulfilled" ? output.value : "failed"))).toEqual(
		outputs.map((_, index) => (index === 1 ? "failed" : String(index))),
	);
});
