import type pg from "pg";
import { openDatabase } from "../../server/database/database.ts";
import type { Environment } from "../../server/environment/environment.ts";
import { createLog, type Log } from "../../server/observability/log.ts";
import type { CommandResult, TerminalCommand } from "./command.ts";
import { getOperatorName, runRecordedCommand } from "./run-recorded-command.server.ts";

/**
 * Wraps a command of another concept, such as the company base: records it, and passes its arguments without `--as`. It stands apart
 * from the other commands, whose modules would take more memory than an import does.
 */
export function recordedCommand(name: string, command: RecordedCommand): TerminalCommand {
	return async (connection, args, environment) => {
		const { as, rest } = extractAsOption(args);
		const log = commandLog(environment);
		const { db } = openDatabase({ ...connection, max: 1 }, log);
		try {
			const run = { verb: name, subject: null, who: getOperatorName(as) };
			return await runRecordedCommand({ db, log, now: () => new Date() }, run, () => command(connection, rest, environment));
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
export function commandLog({ logLevel }: Environment): Log {
	return createLog(process.stderr.isTTY ? "silent" : logLevel, process.stderr);
}
