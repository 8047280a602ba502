import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { scaledTimeout } from "../test/time-limits.ts";
import { terminalCommands } from "./commands/terminal-commands.server.ts";
import { registryCommands } from "./companies/registry/commands.server.ts";
import { commandNames, loadCommand } from "./run-program.ts";

test("every command has its module, and other roles have none", async () => {
	const names = ["doctor", ...Object.keys(terminalCommands), ...Object.keys(registryCommands), "companies:notices"];
	expect([...commandNames].sort()).toEqual(names.sort());
	for (const name of commandNames) expect(await loadCommand(name), name).toBeTypeOf("function");
	for (const role of ["all", "web", "jobs", "migrate", "toString", "constructor", ""])
		expect(await loadCommand(role), role).toBeUndefined();
});

/** Libraries that take time or memory to load, and that most requests and jobs do without. */
const loadedAtFirstUse = [
	...["@aws-sdk/client-s3", "@hyzyla/pdfium", "@opentelemetry/sdk-trace", "@simplewebauthn/server"],
	...["@stackforge-eu/factur-x", "better-auth", "pdf-lib", "read-excel-file", "unpdf", "vite", "yauzl", "yazl"],
];

test("a start loads no library that waits for its first use", { timeout: scaledTimeout(30_000) }, () => {
	const program = `
		const { registerHooks } = await import("node:module");
		const names = new Set();
		registerHooks({
			resolve(specifier, context, next) {
				const found = next(specifier, context);
				names.add(/node_modules.((?:@[^/]+.)?[^/]+)/.exec(found.url)?.[1]);
				return found;
			},
		});
		await import("./app/run-program.ts");
		await import("./build/server/index.js");
		console.log([...names].join(" "));
		process.exit();`;
	const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
	expect(stderr).toBe("");
	const loaded = stdout.trim().split(" ");
	expect(loadedAtFirstUse.filter((name) => loaded.includes(name))).toEqual([]);
	expect(loaded).toContain("pg-boss");
});
