import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import type { DB } from "./database-types.gen.ts";
import type { Log } from "./log.ts";

export type Database = Kysely<DB>;
export type Trx = Transaction<DB>;

/**
 * Begins a statement that is asked so often that to plan it takes longer than to run it: each connection plans it once.
 * Nothing but its parameters may differ from one time to the next, and it names its columns.
 */
export const plannedOnceMark = "/* planned once */";

/** The same, for a statement that is written here. */
export const plannedOnce = sql.raw(plannedOnceMark);

const names = new Map<string, string>();

/** More would be no repetition: some statement is written anew each time, and a connection keeps whatever it was named. */
const mostNames = 300;

/** Whether to plan a statement takes longer than to run it: what is marked so, and what writes without giving whole rows back. */
function isPlannedOnce(statement: unknown): statement is string {
	if (typeof statement !== "string") return false;
	// a whole row would change under the plan with the next migration
	return statement.startsWith(plannedOnceMark) || (/^(insert into|update) /.test(statement) && !statement.includes("*"));
}

/** Marks what went wrong between us and the server, also for the copy of this file that the build holds. */
function markAway<Fault>(fault: Fault): Fault {
	if (fault instanceof Error) Object.assign(fault, { databaseAway: true });
	return fault;
}

/**
 * Whether a request failed because the database does not answer, and not by a fault of ours: no connection to it, one that was lost,
 * or one that it refuses because it starts, stops or is full (SQLSTATE 57P0x, 08xxx, 53300: postgresql.org/docs/18/errcodes-appendix.html).
 */
export function isDatabaseAway(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	const { databaseAway, code } = error as { databaseAway?: boolean; code?: unknown };
	return databaseAway === true || /^(57P0|08|53300)/.test(String(code)) || error.message.startsWith("Connection terminated");
}

/** Gives the statements that are planned once the name by which PostgreSQL knows them again. */
class Client extends pg.Client {
	constructor(config?: pg.ClientConfig) {
		super(config);
		// hears of it before the statements that were under way fail with the same error; unheard, it would end this process
		this.on("error", markAway);
	}

	override query = ((statement: unknown, ...rest: unknown[]) => {
		if (!isPlannedOnce(statement) || (names.size >= mostNames && !names.has(statement)))
			return Reflect.apply(super.query, this, [statement, ...rest]);
		const name = names.get(statement) ?? `planned_${names.size + 1}`;
		names.set(statement, name);
		return Reflect.apply(super.query, this, [{ name, text: statement }, ...rest]);
	}) as pg.Client["query"];
}

type Connected = Parameters<typeof pg.Pool.prototype.connect>[0];

class Pool extends pg.Pool {
	// used both ways, by kysely and by the pool itself
	override connect = ((callback?: Connected) =>
		callback
			? super.connect((error, client, release) => callback(markAway(error), client, release))
			: super.connect().catch((error) => {
					throw markAway(error);
				})) as pg.Pool["connect"];
}

/** How long the shop waits before it says that the database does not answer: milliseconds. */
const patience = {
	connectionTimeoutMillis: 5000,
	keepAlive: true,
	keepAliveInitialDelayMillis: 10_000,
	idle_in_transaction_session_timeout: 60_000,
};

/** Opens the pool of one process; every query of the shop goes through it. */
export function openDatabase(config: pg.PoolConfig, log: Log): { db: Database; pool: pg.Pool } {
	const pool = new Pool({ Client, max: 10, application_name: "extrait-pro", ...patience, ...config });
	// without a listener, a database that goes away would end this process
	pool.on("error", (error) => log.warn({ error: error.message }, "a database connection was lost"));
	return { db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), pool };
}
