import { expect, test } from "vitest";
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
