import { parseArgs } from "node:util";

export interface ProgramArguments {
	/** `all` when no word is given: web and jobs in one process. */
	role: string;
	/** All other arguments, unchanged: each command parses its own options. */
	roleArguments: string[];
}

/** Parses the arguments of main.ts. The first word is the role; it may occur again: `orders upload KB-… orders`. */
export function parseProgramArguments(args: string[]): ProgramArguments {
	const { tokens } = parseArgs({ args, strict: false, tokens: true });
	const role = tokens.find((token) => token.kind === "positional");
	return { role: role?.value ?? "all", roleArguments: args.filter((_, index) => index !== role?.index) };
}

/** Roles that run processes, not commands. */
const processRoles = ["all", "web", "jobs", "migrate"];

/** @returns a sentence for the terminal when main.ts has no such role; otherwise null. */
export function describeUnknownRole(role: string, commandNames: readonly string[]): string | null {
	const roles = [...processRoles, ...commandNames];
	return roles.includes(role)
		? null
		: `main.ts has no role « ${role} ». Its roles are: ${roles.join(", ")}. Without a role it starts the whole shop.`;
}
