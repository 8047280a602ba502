import type pg from "pg";
import type { Environment } from "../server/environment/environment.ts";

/** The commands of main.ts that work beside the shop, and the module of each. */
const modules = {
	doctor: "doctor",
	orders: "desk",
	newsletter: "desk",
	"companies:import": "registry",
	"companies:import-rne": "registry",
	"companies:update": "registry",
	"companies:hide": "registry",
	"companies:show": "registry",
} as const;

export const commandNames = Object.keys(modules);

type Command = (connection: pg.ClientConfig, args: string[], environment: Environment) => Promise<{ ok: boolean; text: string }>;

/** Loads a command when it is asked for, because a start of the shop needs none of their modules. @returns undefined for another role. */
export async function loadCommand(role: string): Promise<Command | undefined> {
	const module = Object.hasOwn(modules, role) ? modules[role as keyof typeof modules] : undefined;
	if (module === undefined) return;
	if (module === "doctor") return (await import("./doctor/command.server.ts")).doctor;
	const { deskCommands, recordedCommand } = await import("./desk/terminal-commands.server.ts");
	if (module === "desk") return deskCommands[role];
	const command = (await import("./registry/commands.server.ts")).registryCommands[role];
	return command && recordedCommand(role, command);
}
