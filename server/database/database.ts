import { type Kysely, sql, type Transaction } from "kysely";
import pg from "pg";
import type { Log } from "../observability/log.ts";
import { outsideOfContext } from "../observability/request-context.ts";
import { getErrorCode, toError } from "../types/errors.ts";
import type { DB } from "./database-types.gen.ts";
import { createDialect } from "./dialect.ts";
import { LoggingKysely } from "./log-after-commit.ts";
import { type Connection, findPrimary, type Primary } from "./primary.ts";

export type Database = Kysely<DB>;
export type Trx = Transaction<DB>;

/** Reads that belong together: all of them see the database at one instant, so that nothing moves between two of them. */
export const inSnapshot = <Result>(db: Database, read: (trx: Trx) => Promise<Result>): Promise<Result> =>
	db.transaction().setIsolationLevel("repeatable read").execute(read);

/** For `where("id", "=", anyOf(ids))`: the text of the statement does not depend on the number of values. */
export const anyOf = (values: readonly string[]) => sql<string>`any(${values})`;

/**
 * For `status in (${literals(statuses)})`: values of ours, written into the statement as they are. PostgreSQL uses a partial index
 * in every plan only where the statement states the index's condition in constants.
 */
export const literals = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)));

/** There is no connection, it was lost, or a statement had no answer in time. */
class ConnectionError extends Error {
	/** Of the network, such as ECONNREFUSED, or of the server that refused the connection. */
	readonly code: string | undefined;

	constructor(cause: unknown) {
		super(toError(cause).message, { cause });
		this.code = getErrorCode(cause);
	}
}

/** The driver's message for a statement that exceeded `query_timeout`. */
const queryTimeoutMessage = "Query read timeout";

/** The driver's messages for the running statement on a lost connection, and for later ones, such as a rollback. */
const lostConnectionPattern =
	/^(Connection terminated|Client was closed|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/** The server takes no writes: it is a standby, or was made read-only (SQLSTATE read_only_sql_transaction). */
const readOnlyCode = "25006";

/**
 * Whether an error means that the database is unavailable or read-only, as opposed to a bug: no connection, a lost connection, or an
 * answer that the server starts, stops, is read-only, is full, or has a failing disk (SQLSTATE 57P0x, 08xxx, 25006, 53xxx, 58030: postgresql.org/docs/18/errcodes-appendix.html).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	if (error instanceof ConnectionError) return true;
	return /^(57P0|08|25006|53|58030)/.test(getErrorCode(error) ?? "") || lostConnectionPattern.test(error.message);
}

/** Milliseconds until the shop considers the database unavailable. */
export const timeouts = {
	connectionTimeoutMillis: 5000,
	/** For one statement of a page or of a job. The server cancels it first. */
	page: { statement_timeout: 15_000, query_timeout: 20_000 },
	job: { statement_timeout: 30_000, query_timeout: 35_000 },
	/** For one statement of the queue, which is polled every second. */
	queue: { query_timeout: 15_000 },
};

/**
 * A connection to the shop's database; all code uses this class. It fails instead of waiting for a server that died silently:
 * keep-alive ends an idle connection within twenty seconds, `query_timeout` ends a running statement
 * (nodejs.org/api/net.html#socketsetkeepaliveenable-initialdelay).
 */
export class Client extends pg.Client {
	readonly #primary: Primary | undefined;
	/** Of this connection: the running statements fail with the same error. */
	#fault: Error | undefined;

	constructor(config: Connection = {}) {
		super({
			keepAlive: true,
			keepAliveInitialDelayMillis: 10_000,
			connectionTimeoutMillis: timeouts.connectionTimeoutMillis,
			...config,
		});
		this.#primary = config.hosts && findPrimary(config.hosts);
		// without a listener the error would end this process
		this.on("error", (error) => {
			this.#fault = error;
			this.#primary?.invalidate();
		});
	}

	/** Connects to the primary when the database has several hosts. */
	override connect(): Promise<this>;
	override connect(callback: (error?: Error) => void): void;
	override connect(callback?: (error?: Error) => void): Promise<this> | undefined {
		const connected = this.#connect();
		if (callback === undefined) return connected;
		void connected.then(() => callback(), callback);
	}

	async #connect(): Promise<this> {
		try {
			// sets host and port, which the driver reads when it connects
			if (this.#primary) Object.assign(this, await this.#primary.find());
			await super.connect();
			return this;
		} catch (error) {
			this.#primary?.invalidate();
			throw new ConnectionError(error);
		}
	}

	override query = ((statement: string | pg.QueryConfig | pg.Submittable, values?: unknown[], callback?: QueryCallback) => {
		// a copy reports its error to its stream
		if (typeof statement === "object" && "submit" in statement) return super.query(statement);
		const config = { ...(typeof statement === "string" ? { text: statement } : statement), ...(values && { values }) };
		if (callback === undefined)
			return super.query(config).catch((error) => {
				throw this.#explain(error);
			});
		super.query(config, (error, result) => {
			callback(error && this.#explain(error), result);
		});
	}) as pg.Client["query"];

	/** Closes a connection that an error made useless: the pool would hand it out again otherwise. @returns the error for the caller. */
	#explain(error: Error): Error {
		const isLate = error.message === queryTimeoutMessage;
		if (isLate || getErrorCode(error) === readOnlyCode) {
			this.#primary?.invalidate();
			// destroys the socket at once: the server may never answer « terminate »
			this.end().catch(() => {});
			this.connection.stream.destroy();
		}
		return isLate || error === this.#fault ? new ConnectionError(error) : error;
	}
}

type QueryCallback = (error: Error, result: pg.QueryResult) => void;

/** Opens a connection pool. Every query of the shop goes through one. */
export function openDatabase(config: pg.PoolConfig & Connection, log: Log): { db: Database; pool: pg.Pool } {
	const settings = { max: 10, application_name: "extrait-pro", connectionTimeoutMillis: timeouts.connectionTimeoutMillis };
	const pool = new pg.Pool({ Client, idle_in_transaction_session_timeout: 60_000, ...settings, ...config });
	// without a listener, a lost database would end this process
	pool.on("error", (error) => outsideOfContext(() => log.warn({ error: error.message }, "a database connection was lost")));
	return { db: new LoggingKysely({ dialect: createDialect(pool) }, log), pool };
}
