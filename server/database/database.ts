import { AsyncResource } from "node:async_hooks";
import { type Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import type { Log } from "../observability/log.ts";
import { currentContext, outsideOfContext, sqlComment } from "../observability/request-context.ts";
import type { Span } from "../observability/tracing.ts";
import { getErrorCode } from "../types/errors.ts";
import type { DB } from "./database-types.gen.ts";
import { LoggingKysely } from "./log-after-commit.ts";
import { type Connection, findPrimary, type Primary } from "./primary.ts";

export type Database = Kysely<DB>;
export type Trx = Transaction<DB>;

/**
 * Begins a statement that is asked so often that to plan it takes longer than to run it: each connection plans it once.
 * Nothing but its parameters may differ from one time to the next, and it names its columns.
 */
export const preparedMark = "/* planned once */";

/** The same, for a statement that is written here. */
export const prepared = sql.raw(preparedMark);

/** For `where("id", "=", anyOf(ids))`: one statement, whose text is the same however many values there are. */
export const anyOf = (values: readonly string[]) => sql<string>`any(${values})`;

/**
 * For `status in (${literals(statuses)})`: values of ours, written into the statement as they are. PostgreSQL uses a partial index
 * in every plan only where the statement states the index's condition in constants.
 */
export const literals = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)));

/** More would be no repetition: some statement is written anew each time, and a connection keeps whatever it was named. */
const mostNames = 300;

/** Whether to plan a statement takes longer than to run it: what is marked so, and what writes without giving whole rows back. */
function isPlannedOnce(statement: unknown): statement is string {
	if (typeof statement !== "string") return false;
	// a whole row would change under the plan with the next migration
	return statement.startsWith(preparedMark) || (/^(insert into|update) /.test(statement) && !statement.includes("*"));
}

/** Marks what went wrong between us and the server, also for the copy of this file that the build holds. */
function markAway<Fault>(fault: Fault): Fault {
	if (fault instanceof Error) Object.assign(fault, { databaseAway: true });
	return fault;
}

/** What the driver says of a statement that was not answered within `query_timeout`. */
const noAnswer = "Query read timeout";

/** What the driver says of statements on a connection that was lost: of the one under way, and of those that follow, such as a rollback. */
const lostConnection = /^(Connection terminated|Client was closed|Client has encountered a connection error)/;

/** The server takes no writes: it is a standby, or was made read-only (SQLSTATE read_only_sql_transaction). */
const readOnly = "25006";

/**
 * Whether a request failed because the database does not answer or takes no writes, and not by a fault of ours: no connection to it, one
 * that was lost, or an answer that says that it starts, stops, is read-only, is full, or that its disk fails
 * (SQLSTATE 57P0x, 08xxx, 25006, 53xxx, 58030: postgresql.org/docs/18/errcodes-appendix.html).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	const marked = "databaseAway" in error && error.databaseAway === true;
	return marked || /^(57P0|08|25006|53|58030)/.test(getErrorCode(error) ?? "") || lostConnection.test(error.message);
}

/** In milliseconds: how long the shop waits before it says that the database does not answer. */
export const timeouts = {
	connectionTimeoutMillis: 5000,
	/** One statement of a page, and of a job: the server ends it. */
	page: { statement_timeout: 15_000, query_timeout: 20_000 },
	job: { statement_timeout: 30_000, query_timeout: 35_000 },
	/** One statement of the queue, which is polled every second. */
	queue: { query_timeout: 15_000 },
};

/**
 * A connection to the shop's database; every one of them is made here. It fails instead of waiting for a server that died without a word:
 * keep-alive ends it within twenty seconds while it waits, `query_timeout` while something is under way
 * (nodejs.org/api/net.html#socketsetkeepaliveenable-initialdelay).
 */
export class Client extends pg.Client {
	readonly #primary: Primary | undefined;
	/** Of statements that this connection plans once. */
	readonly #names = new Map<string, string>();

	constructor(config: Connection = {}) {
		super({
			keepAlive: true,
			keepAliveInitialDelayMillis: 10_000,
			connectionTimeoutMillis: timeouts.connectionTimeoutMillis,
			...config,
		});
		this.#primary = config.hosts && findPrimary(config.hosts);
		// hears of it before the statements that were under way fail with the same error; unheard, it would end this process
		this.on("error", (error) => {
			markAway(error);
			this.#primary?.forget();
		});
	}

	/** Connects to the host that takes writes, where the database has several. */
	override connect = ((callback?: (error?: Error) => void) => {
		const connected = this.#connect();
		if (callback === undefined) return connected;
		void connected.then(() => callback(), callback);
	}) as pg.Client["connect"];

	async #connect(): Promise<this> {
		try {
			// the driver reads both when it connects
			if (this.#primary) Object.assign(this, await this.#primary.find());
			await super.connect();
			return this;
		} catch (error) {
			this.#primary?.forget();
			throw markAway(error);
		}
	}

	/**
	 * Gives the statements that are planned once the name by which PostgreSQL knows them again, and any other a comment that leads from
	 * pg_stat_activity to what asked for it.
	 */
	override query = ((statement: unknown, ...rest: unknown[]) => {
		const known = isPlannedOnce(statement) && (this.#names.size < mostNames || this.#names.has(statement));
		const name = known ? (this.#names.get(statement) ?? `planned_${this.#names.size + 1}`) : "";
		if (known) this.#names.set(statement, name);
		const callback = rest.at(-1);
		const span = typeof statement === "string" ? startStatement(statement) : undefined;
		const passed = typeof callback === "function" ? [...rest.slice(0, -1), this.#watching(callback, span)] : rest;
		const commented = typeof statement === "string" ? statement + sqlComment(currentContext()) : statement;
		const result: unknown = Reflect.apply(super.query, this, [known ? { name, text: statement } : commented, ...passed]);
		if (!(result instanceof Promise)) return result;
		return result.then(
			(answer) => {
				span?.end();
				return answer;
			},
			(error) => {
				span?.end(error);
				throw this.#closeIfUseless(error);
			},
		);
	}) as pg.Client["query"];

	#watching =
		(callback: CallableFunction, span: Span | undefined) =>
		(error: Error | undefined, ...rest: unknown[]) => {
			span?.end(error ?? undefined);
			callback(error && this.#closeIfUseless(error), ...rest);
		};

	/** Closes the connection after a fault that makes it useless, as a pool would hand it out again. @returns the fault. */
	#closeIfUseless(error: Error & { code?: string }): Error {
		if (error.message !== noAnswer && error.code !== readOnly) return error;
		this.#primary?.forget();
		// at once, so that a pool does not hand it out again; an answer to « terminate » may never come
		this.end().catch(() => {});
		this.connection.stream.destroy();
		return error.message === noAnswer ? markAway(error) : error;
	}
}

/** Begins a statement's part of the trace under way. Its text has no values: those are parameters. */
const startStatement = (text: string): Span | undefined =>
	currentContext().span?.child(/\w+/.exec(text.replace(/^\/\*.*?\*\//, ""))?.[0]?.toUpperCase() ?? "SQL", "client", {
		"db.system.name": "postgresql",
		"db.query.text": text,
	});

type Connected = Parameters<typeof pg.Pool.prototype.connect>[0];

class Pool extends pg.Pool {
	// used both ways, by kysely and by the pool itself
	override connect = ((callback?: Connected) =>
		callback
			? // whoever waited is called back by whoever gave the connection back, and goes on as themselves
				super.connect(AsyncResource.bind((error, client, release) => callback(markAway(error), client, release)))
			: super.connect().catch((error) => {
					throw markAway(error);
				})) as pg.Pool["connect"];
}

/** Opens the pool of one process; every query of the shop goes through it. */
export function openDatabase(config: pg.PoolConfig & Connection, log: Log): { db: Database; pool: pg.Pool } {
	const settings = { max: 10, application_name: "extrait-pro", connectionTimeoutMillis: timeouts.connectionTimeoutMillis };
	const pool = new Pool({ Client, idle_in_transaction_session_timeout: 60_000, ...settings, ...config });
	// without a listener, a database that goes away would end this process
	pool.on("error", (error) => outsideOfContext(() => log.warn({ error: error.message }, "a database connection was lost")));
	return { db: new LoggingKysely({ dialect: new PostgresDialect({ pool }) }, log), pool };
}
