import { type Database, isDatabaseUnavailable, openDatabase, timeouts } from "../database/database.ts";
import { getSchemaState, withExclusiveLock } from "../database/migrate.ts";
import type { Connection } from "../database/primary.ts";
import { SchemaError } from "../database/schema-error.ts";
import type { Log } from "../observability/log.ts";
import { getErrorCode, toError } from "../types/errors.ts";
import { exitWithFailure } from "./exit-with-failure.ts";

/** How often a start begins in all, when it loses its connection. */
const maxAttempts = 3;

/** The codes of a lost connection; errors of the driver itself have none. */
const lostCodes = new Set<string | undefined>([undefined, "ECONNRESET", "ETIMEDOUT", "EPIPE", "57P01"]);

/**
 * Works on the database while no other process of the shop does. Statements have the time limits of jobs, and none in a schema that
 * must be migrated. A start that loses its connection begins again. A schema that is not of this program ends the process.
 * @param options.dataDir the folder of the embedded database; null for that of DATABASE_URL.
 */
export async function prepareDatabase(
	connection: Connection,
	{ log, dataDir }: { log: Log; dataDir: string | null },
	prepare: (db: Database) => Promise<void>,
): Promise<void> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await withExclusiveLock(connection, log, async () => {
				const isUsable = (await withDatabase({ ...timeouts.queue, ...connection }, log, getSchemaState)) === "usable";
				const settings = isUsable ? { ...timeouts.job, ...connection } : { ...connection, idle_in_transaction_session_timeout: 0 };
				await withDatabase(settings, log, prepare);
			});
		} catch (error) {
			if (error instanceof SchemaError)
				exitWithFailure(
					`${error.message}\n${dataDir === null ? error.todo : `Move the folder ${dataDir} away: the demo then begins anew.`}`,
				);
			const code = getErrorCode(error);
			if (isDatabaseUnavailable(error) && lostCodes.has(code) && attempt < maxAttempts) {
				log.warn({ reason: toError(error).message }, "the start lost its database connection and begins again");
				continue;
			}
			if (isDatabaseUnavailable(error) || /^(E[A-Z]+$|28|3D)/.test(code ?? ""))
				exitWithFailure(`The database does not answer: ${toError(error).message || code}. Check DATABASE_URL.`);
			throw error;
		}
	}
}

async function withDatabase<Result>(connection: Connection, log: Log, work: (db: Database) => Promise<Result>): Promise<Result> {
	const { db } = openDatabase(connection, log);
	try {
		return await work(db);
	} finally {
		// does not wait: a silent server would never confirm
		void db.destroy();
	}
}

/** An operator's command, and a process of production, works with the schema as it is: a newer program must not change it under the running shop. */
export async function requireSchema(db: Database): Promise<void> {
	const state = await getSchemaState(db);
	if (state === "empty") exitWithFailure("There is no shop in this database. Make it first: npm run db:migrate");
	if (state === "older")
		exitWithFailure("The database is older than this program. Upgrade first: npm run db:migrate (docs/deployment.md, « Upgrade »).");
}
