import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import type { DB } from "./database-types.gen.ts";
import type { Log } from "./log.ts";

export type Database = Kysely<DB>;
export type Trx = Transaction<DB>;

const mark = "/* planned once */";

/**
 * Begins a statement that is asked so often that to plan it takes longer than to run it: each connection plans it once.
 * Nothing but its parameters may differ from one time to the next, and it names its columns.
 */
export const plannedOnce = sql.raw(mark);

const names = new Map<string, string>();

/** Gives the statements that are planned once the name by which PostgreSQL knows them again. */
class Client extends pg.Client {
	override query = ((statement: unknown, ...rest: unknown[]) => {
		if (typeof statement !== "string" || !statement.startsWith(mark)) return Reflect.apply(super.query, this, [statement, ...rest]);
		const name = names.get(statement) ?? `planned_${names.size + 1}`;
		names.set(statement, name);
		return Reflect.apply(super.query, this, [{ name, text: statement }, ...rest]);
	}) as pg.Client["query"];
}

/** Opens the pool of one process; every query of the shop goes through it. */
export function openDatabase(config: pg.PoolConfig, log: Log): { db: Database; pool: pg.Pool } {
	const pool = new pg.Pool({ Client, max: 10, application_name: "extrait-pro", ...config });
	// without a listener, a database that goes away would end this process
	pool.on("error", (error) => log.warn({ error: error.message }, "a database connection was lost"));
	return { db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), pool };
}
