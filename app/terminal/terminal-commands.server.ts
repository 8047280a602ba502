import type pg from "pg";
import { createRuntime } from "../../server/create-runtime.ts";
import { openDatabase } from "../../server/database/database.ts";
import type { Environment } from "../../server/environment/environment.ts";
import { createLog, describeFault, type Log } from "../../server/observability/log.ts";
import type { Runtime } from "../../server/runtime.ts";
import { createShop } from "../create-shop.server.ts";
import { jobKinds } from "../job-kinds.ts";
import { runAccountsCommand } from "./accounts/accounts-commands.server.ts";
import { type CommandResult, refuse } from "./command.ts";
import { runDeskCommand } from "./desk-commands.server.ts";
import { runNewsletterCommand } from "./newsletter-commands.server.ts";
import { toPrintable } from "./printable-text.ts";
import { runCommand, usage } from "./run-command.server.ts";
import { getOperatorName, runRecorded } from "./run-recorded.server.ts";

export type TerminalCommand = (connection: pg.ClientConfig, args: string[], environment: Environment) => Promise<CommandResult>;

/** The operator's commands by the role given to main.ts. They run in a process beside the shop. */
export const terminalCommands: Record<string, TerminalCommand> = {
	async orders(connection, args, environment) {
		if (args.length === 0) return refuse(usage());
		return withRuntime(connection, environment, (runtime) => runCommand({ shop: createShop(runtime), readInput }, args));
	},
	accounts: (connection, args, environment) =>
		withRuntime(connection, environment, (runtime) => runAccountsCommand(createShop(runtime), args)),
	desk: (connection, args, environment) => withRuntime(connection, environment, (runtime) => runDeskCommand(runtime, args)),
	newsletter: (connection, args, environment) =>
		withRuntime(connection, environment, (runtime) => runNewsletterCommand({ ...runtime, readInput }, args)),
};

/** Wraps a command of another concept, such as the company base: records it, and passes its arguments without `--as`. */
export function recordedCommand(name: string, command: RecordedCommand): TerminalCommand {
	return async (connection, args, environment) => {
		const { as, rest } = extractAsOption(args);
		const log = commandLog(environment);
		const { db } = openDatabase({ ...connection, max: 1 }, log);
		try {
			const run = { verb: name, subject: null, who: getOperatorName(as) };
			return await runRecorded({ db, log, now: () => new Date() }, run, () => command(connection, rest, environment));
		} finally {
			await db.destroy();
		}
	};
}

type RecordedCommand = (
	connection: pg.ClientConfig,
	args: string[],
	environment: Environment,
) => Promise<CommandResult & { subject?: string }>;

/** Extracts `--as name` or `--as=name`, at any position. */
function extractAsOption(args: readonly string[]): { as: string | undefined; rest: string[] } {
	const position = args.findIndex((argument) => argument === "--as" || argument.startsWith("--as="));
	if (position === -1) return { as: undefined, rest: [...args] };
	const joined = args[position]?.startsWith("--as=");
	return {
		as: joined ? args[position]?.slice("--as=".length) : args[position + 1],
		rest: args.filter((_, index) => index !== position && (joined || index !== position + 1)),
	};
}

/** Logs to standard error, because standard output carries the result. Silent on a terminal, which shows both. */
function commandLog({ logLevel }: Environment): Log {
	return createLog(process.stderr.isTTY ? "silent" : logLevel, process.stderr);
}

async function withRuntime(
	connection: pg.ClientConfig,
	environment: Environment,
	run: (runtime: Runtime) => Promise<CommandResult>,
): Promise<CommandResult> {
	const { runtime, close } = await createRuntime(environment, connection, jobKinds, { supervise: false, log: commandLog(environment) });
	try {
		return await run(runtime);
	} catch (error) {
		const fault = describeFault(error instanceof Error ? error.message : error);
		return refuse(`La commande s’est arrêtée : ${toPrintable(fault)}\nElle peut être relancée sans rien faire deux fois.`);
	} finally {
		await close(1000);
	}
}

async function readInput(): Promise<Uint8Array | null> {
	if (process.stdin.isTTY) return null;
	const chunks: Buffer[] = [];
	for await (const chunk of process.stdin) chunks.push(chunk);
	return Buffer.concat(chunks);
}
