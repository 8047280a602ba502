import type { TerminalCommand } from "./terminal/command.ts";

type Loader = (name: string) => Promise<TerminalCommand | undefined>;

const loadDoctor: Loader = async () => (await import("./doctor/command.server.ts")).doctor;

const loadDeskCommand: Loader = async (name) => (await import("./terminal/terminal-commands.server.ts")).terminalCommands[name];

const loadRegistryCommand: Loader = async (name) => {
	const { recordedCommand } = await import("./terminal/recorded-command.server.ts");
	const command = (await import("./registry/commands.server.ts")).registryCommands[name];
	return command && recordedCommand(name, command);
};

const loadNoticesCommand: Loader = async (name) => {
	const { recordedCommand } = await import("./terminal/recorded-command.server.ts");
	return recordedCommand(name, (await import("./bulletin/commands.server.ts")).companiesNotices);
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

/** @returns undefined for a role that is no command. */
export const loadCommand = async (role: string): Promise<TerminalCommand | undefined> => loaders.get(role)?.(role);
