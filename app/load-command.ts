import { asksForHelp, done, type TerminalCommand } from "./commands/command.ts";

interface LoadedCommand {
	run: TerminalCommand;
	/** What it prints when it is asked for help. */
	usage: string;
}

type Loader = (name: string) => Promise<LoadedCommand | undefined>;

const loadDoctor: Loader = async () => {
	const { doctor, usage } = await import("./commands/doctor/command.server.ts");
	return { run: doctor, usage };
};

const loadDeskCommand: Loader = async (name) => (await import("./commands/terminal-commands.server.ts")).terminalCommands[name];

const loadRegistryCommand: Loader = async (name) => {
	const { recordedCommand } = await import("./commands/recorded-command.server.ts");
	const command = (await import("./companies/registry/commands.server.ts")).registryCommands[name];
	return command && { run: recordedCommand(name, command.run), usage: command.usage };
};

const loadNoticesCommand: Loader = async (name) => {
	const { recordedCommand } = await import("./commands/recorded-command.server.ts");
	const { companiesNotices, usage } = await import("./companies/bulletin/commands.server.ts");
	return { run: recordedCommand(name, companiesNotices), usage };
};

/** The commands of main.ts, each with the function that loads it: a start of the shop needs none of their modules. */
const loaders = new Map<string, Loader>([
	["doctor", loadDoctor],
	["orders", loadDeskCommand],
	["accounts", loadDeskCommand],
	["desk", loadDeskCommand],
	["newsletter", loadDeskCommand],
	["companies:import", loadRegistryCommand],
	["companies:import-rne", loadRegistryCommand],
	["companies:import-vat", loadRegistryCommand],
	["companies:update", loadRegistryCommand],
	["companies:notices", loadNoticesCommand],
	["companies:hide", loadRegistryCommand],
	["companies:show", loadRegistryCommand],
]);

export const commandNames = [...loaders.keys()];

/** @returns the command, which prints its usage when it is asked for help; undefined for a role that is no command. */
export async function loadCommand(role: string): Promise<TerminalCommand | undefined> {
	const command = await loaders.get(role)?.(role);
	if (command === undefined) return undefined;
	return async (connection, args, environment) => (asksForHelp(args) ? done(command.usage) : command.run(connection, args, environment));
}
