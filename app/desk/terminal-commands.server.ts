import type pg from "pg";
import { createRuntime } from "../../server/create-runtime.ts";
import { openDatabase } from "../../server/database/database.ts";
import type { Environment } from "../../server/environment/environment.ts";
import { createLog, describeFault, type Log } from "../../server/observability/log.ts";
import type { Runtime } from "../../server/runtime.ts";
import { createShop } from "../create-shop.server.ts";
import { jobKinds } from "../job-kinds.ts";
import { type CommandResult, refuse } from "./command.ts";
import { runNewsletterCommand } from "./newsletter-commands.server.ts";
import { toPrintable } from "./printable-text.ts";
import { runCommand, usage } from "./run-command.server.ts";
import { runRecorded, whoRuns } from "./run-recorded.server.ts";

type Command = (connection: pg.ClientConfig, args: string[], environment: Environment) => Promise<CommandResult>;

/** The operator's commands, by the role that main.ts is given. They work beside the running shop. */
export const deskCommands: Record<string, Command> = {
	async orders(connection, args, environment) {
		if (args.length === 0) return refuse(usage());
		return beside(connection, environment, (runtime) => runCommand({ shop: createShop(runtime), readInput }, args));
	},
	newsletter: (connection, args, environment) =>
		beside(connection, environment, (runtime) => runNewsletterCommand({ ...runtime, readInput }, args)),
};

/** Records a command that another concept brings, such as those of the company base, and hands it its arguments without `--as`. */
export function recordedCommand(name: string, command: RecordedCommand): Command {
	return async (connection, args, environment) => {
		const { as, rest } = takeAs(args);
		const log = commandLog(environment);
		const { db } = openDatabase({ ...connection, max: 1 }, log);
		try {
			const run = { verb: name, subject: null, who: whoRuns(as) };
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

/** `--as name` and `--as=name`, wherever they stand. */
function takeAs(args: readonly string[]): { as: string | undefined; rest: string[] } {
	const place = args.findIndex((argument) => argument === "--as" || argument.startsWith("--as="));
	if (place === -1) return { as: undefined, rest: [...args] };
	const joined = args[place]?.startsWith("--as=");
	return {
		as: joined ? args[place]?.slice("--as=".length) : args[place + 1],
		rest: args.filter((_, index) => index !== place && (joined || index !== place + 1)),
	};
}

/** On standard error, as standard output is the command's answer; nowhere where a person reads both on a terminal. */
function commandLog({ logLevel }: Environment): Log {
	return createLog(process.stderr.isTTY ? "silent" : logLevel, process.stderr);
}

async function beside(
	connection: pg.ClientConfig,
	environment: Environment,
	act: (runtime: Runtime) => Promise<CommandResult>,
): Promise<CommandResult> {
	const { runtime, close } = await createRuntime(environment, connection, jobKinds, { supervise: false, log: commandLog(environment) });
	try {
		return await act(runtime);
	} catch (error) {
		const why = describeFault(error instanceof Error ? error.message : error);
		return refuse(`La commande s’est arrêtée : ${toPrintable(why)}\nElle peut être relancée sans rien faire deux fois.`);
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
