import { parseArgs } from "node:util";

export interface ProgramArguments {
	/** `all` when no word is given: web and jobs in one process. */
	role: string;
	/** What follows or precedes the role, as it was typed: a command reads its own options. */
	roleArguments: string[];
	dev: boolean;
}

/** Reads what main.ts was called with. The first word is the role; it may occur again: `orders show orders`. */
export function parseProgramArguments(args: string[]): ProgramArguments {
	const { values, tokens } = parseArgs({ args, options: { dev: { type: "boolean" } }, strict: false, tokens: true });
	const role = tokens.find((token) => token.kind === "positional");
	return {
		role: role?.value ?? "all",
		roleArguments: args.filter((_, index) => index !== role?.index),
		dev: values.dev === true,
	};
}
