import { type Database, isDatabaseUnavailable, openDatabase } from "../database/database.ts";
import { getSchemaState, migrate, withExclusiveLock } from "../database/migrate.ts";
import type { Connection } from "../database/primary.ts";
import type { Log } from "../observability/log.ts";
import { getErrorCode, toError } from "../types/errors.ts";
import { exitWithFailure } from "./exit-with-failure.ts";

/** Works on the database while no other process of the shop does, without the limits of a request. */
export async function prepareDatabase(connection: Connection, log: Log, prepare: (db: Database) => Promise<void>): Promise<void> {
	const { db } = openDatabase({ ...connection, idle_in_transaction_session_timeout: 0 }, log);
	try {
		await withExclusiveLock(connection, () => prepare(db));
	} catch (error) {
		const code = getErrorCode(error);
		if (isDatabaseUnavailable(error) || /^(E[A-Z]+$|28|3D)/.test(code ?? ""))
			exitWithFailure(`The database does not answer: ${toError(error).message || code}. Check DATABASE_URL.`);
		throw error;
	}
	await db.destroy();
}

/** An operator's command works with the schema as it is: a newer program must not change it under the running shop. */
export async function requireSchema(db: Database): Promise<void> {
	const state = await getSchemaState(db);
	if (state === "empty") await migrate(db);
	if (state === "older")
		exitWithFailure("The database is older than this program. Upgrade first: npm run db:migrate (docs/deployment.md, « Upgrade »).");
}
