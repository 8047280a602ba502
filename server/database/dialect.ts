import { createHash } from "node:crypto";
import {
	CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	type Driver,
	type Kysely,
	type KyselyPlugin,
	PostgresAdapter,
	PostgresIntrospector,
	PostgresQueryCompiler,
	type QueryResult,
	type TransactionSettings,
} from "kysely";
import type pg from "pg";
import { currentContext, sqlComment } from "../observability/request-context.ts";
import type { Span } from "../observability/tracing.ts";
import type { DB } from "./database-types.gen.ts";

/** What runs statements until it is released: a connection, or whichever of two servers can answer. */
export interface StatementClient {
	query(statement: pg.QueryConfig): Promise<Pick<pg.QueryResult, "command" | "rowCount" | "rows">>;
	/** @param discards closes the connection instead of giving it back. */
	release(discards?: boolean): void;
}

export interface StatementPool {
	connect(): Promise<StatementClient>;
	end(): Promise<void>;
}

/** The root node of a statement that `prepared` passes on to the driver. */
type PreparedNode = CompiledQuery["query"] & { isPrepared?: true };

const preparing: KyselyPlugin = {
	transformQuery: ({ node }): PreparedNode => ({ ...node, isPrepared: true }),
	transformResult: async ({ result }) => result,
};

/**
 * The same database or transaction, for a frequent statement whose planning takes longer than its execution: each connection plans it once.
 * The text must not depend on the values. It must name its columns, because a migration that adds one invalidates a plan that returns `*`.
 */
export const prepared = (db: Kysely<DB>): Kysely<DB> => db.withPlugin(preparing);

/** A prepared statement whose text is already written. */
export const preparedQuery = (text: string, values: readonly unknown[]): CompiledQuery => {
	const query = CompiledQuery.raw(text, [...values]);
	const root: PreparedNode = { ...query.query, isPrepared: true };
	return { ...query, query: root };
};

/** A connection keeps every prepared statement: this bounds its memory if some statement's text varies. */
const maxPreparedStatements = 300;

/**
 * Kysely on a pool of PostgreSQL. Its own dialect passes no names of statements to the driver, and knows no spans. Each statement runs in
 * the trace of its request or job; `prepared` ones have a name, the others a comment that says in pg_stat_activity why they run.
 */
export const createDialect = (pool: StatementPool): Dialect => ({
	createAdapter: () => new PostgresAdapter(),
	createDriver: () => new StatementDriver(pool),
	createIntrospector: (db) => new PostgresIntrospector(db),
	createQueryCompiler: () => new PostgresQueryCompiler(),
});

class StatementDriver implements Driver {
	readonly #pool: StatementPool;
	/** By the text of each prepared statement. */
	readonly #names = new Map<string, string>();

	constructor(pool: StatementPool) {
		this.#pool = pool;
	}

	async init(): Promise<void> {}

	async acquireConnection(): Promise<StatementConnection> {
		return new StatementConnection(await this.#pool.connect(), (text) => this.#getName(text));
	}

	async beginTransaction(connection: StatementConnection, { isolationLevel }: TransactionSettings): Promise<void> {
		await connection.run(isolationLevel ? `start transaction isolation level ${isolationLevel}` : "begin");
	}

	/** @throws when the server rolled back, because a statement had failed. */
	async commitTransaction(connection: StatementConnection): Promise<void> {
		const { command } = await connection.run("commit");
		if (command === "ROLLBACK") throw new Error("the transaction was rolled back: one of its statements had failed");
	}

	async rollbackTransaction(connection: StatementConnection): Promise<void> {
		try {
			await connection.run("rollback");
		} catch (error) {
			connection.isBroken = true;
			throw error;
		}
	}

	async releaseConnection(connection: StatementConnection): Promise<void> {
		connection.release();
	}

	async destroy(): Promise<void> {
		await this.#pool.end();
	}

	/** The same in every process and pool, because several drivers may share a connection. */
	#getName(text: string): string | undefined {
		const known = this.#names.get(text);
		if (known !== undefined || this.#names.size >= maxPreparedStatements) return known;
		const name = `prepared_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
		this.#names.set(text, name);
		return name;
	}
}

class StatementConnection implements DatabaseConnection {
	/** Its transaction could not be rolled back. */
	isBroken = false;
	readonly #client: StatementClient;
	readonly #getName: (text: string) => string | undefined;

	constructor(client: StatementClient, getName: (text: string) => string | undefined) {
		this.#client = client;
		this.#getName = getName;
	}

	async executeQuery<Row>({ sql: text, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
		const { isPrepared }: PreparedNode = query;
		const { command, rowCount, rows = [] } = await this.run(text, [...parameters], isPrepared && this.#getName(text));
		const isChange = ["INSERT", "UPDATE", "DELETE", "MERGE"].includes(command);
		return isChange ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows };
	}

	async run(text: string, values: unknown[] = [], name?: string): ReturnType<StatementClient["query"]> {
		const span = startStatementSpan(text);
		try {
			const result = await this.#client.query(name ? { name, text, values } : { text: text + sqlComment(currentContext()), values });
			span?.end();
			return result;
		} catch (error) {
			span?.end(error);
			throw error;
		}
	}

	release(): void {
		this.#client.release(this.isBroken);
	}

	streamQuery(): never {
		throw new Error("statements are not streamed");
	}
}

/** Starts the span of a statement in the current trace. The text holds no values: they are parameters. */
const startStatementSpan = (text: string): Span | undefined =>
	currentContext().span?.child(/\w+/.exec(text)?.[0]?.toUpperCase() ?? "SQL", "client", {
		"db.system.name": "postgresql",
		"db.query.text": text,
	});
