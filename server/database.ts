import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { DB } from "./database-types.gen.ts";
import type { Log } from "./log.ts";

export type Database = Kysely<DB>;
export type Trx = Transaction<DB>;

/** Opens the pool of one process; every query of the shop goes through it. */
export function openDatabase(config: pg.PoolConfig, log: Log): { db: Database; pool: pg.Pool } {
	const pool = new pg.Pool({ max: 10, application_name: "extrait-pro", ...config });
	// without a listener, a database that goes away would end this process
	pool.on("error", (error) => log.warn({ error: error.message }, "a database connection was lost"));
	return { db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), pool };
}
