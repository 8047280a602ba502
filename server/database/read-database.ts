import { Kysely } from "kysely";
import type pg from "pg";
import { createLog, type Log } from "../observability/log.ts";
import { getErrorCode, toError } from "../types/errors.ts";
import { type Database, isDatabaseUnavailable, openDatabase } from "./database.ts";
import type { DB } from "./database-types.gen.ts";
import { createDialect } from "./dialect.ts";

/**
 * A database for reads that may be a minute old. A streaming replica answers; the primary answers when the replica cannot
 * (docs/decisions/0013). There are no transactions, because two servers may answer.
 */
export interface ReadDatabase {
	db: Database;
	replica: Replica;
	pool: pg.Pool;
	/** Uses the primary until the replica provably has everything committed before this call. */
	invalidate(): void;
	close(): Promise<void>;
}

export interface Replica {
	/** « behind »: the replica answers, but may lack commits that are older than a minute. */
	state(): "ok" | "behind" | "down";
}

/** Milliseconds. A company that objects is hidden within a minute, so no read may be older (docs/decisions/0013). */
const maxLagMs = 60_000;

const checkIntervalMs = 2000;

/** Milliseconds. The server cancels a statement before our own timeout. */
const timeouts = { connectionTimeoutMillis: 1000, statement_timeout: 5000, query_timeout: 6000 };

export interface ServerState {
	standby: boolean;
	position: string | null;
	cluster: string;
	database: string;
	schema: string | null;
}

/**
 * Identifies a server and its position in the log: what a primary has flushed, since it sends no more to standbys, or what a standby
 * has replayed (postgresql.org/docs/18/functions-admin.html). Any role may run it.
 */
const stateQuery = `
	select pg_is_in_recovery() as standby,
		(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn)::text as position,
		system_identifier::text as cluster, current_database()::text as database, (select max(name) from kysely_migration) as schema
	from pg_control_system()`;

async function getServerState(pool: pg.Pool): Promise<ServerState> {
	const { rows } = await pool.query<ServerState>(stateQuery);
	if (!rows[0]) throw new Error("the server says nothing of itself");
	return rows[0];
}

/**
 * Opens the pool of a replica and checks the replica until it is closed.
 * @param clock monotonic milliseconds.
 */
export function openReadDatabase(
	primary: pg.Pool,
	connection: pg.PoolConfig,
	log: Log,
	{ clock = () => performance.now(), interval = checkIntervalMs }: { clock?: () => number; interval?: number } = {},
): ReadDatabase {
	// a silent log: `report` logs a lost replica once
	const { pool } = openDatabase({ application_name: "extrait-pro reads", ...timeouts, ...connection }, createLog("silent"));
	// checks have a separate connection, so that a peak of searches does not delay them
	const { pool: checkPool } = openDatabase(
		{ application_name: "extrait-pro reads", ...timeouts, ...connection, max: 1 },
		createLog("silent"),
	);
	const watch = watchReplica(primary, checkPool, log, { clock, interval });

	async function query(statement: pg.QueryConfig) {
		if (/^(begin|start transaction)\b/.test(statement.text)) throw new Error("reads have no transactions: two servers may answer them");
		if (watch.state() !== "ok") return primary.query(statement);
		try {
			return await pool.query(statement);
		} catch (error) {
			// a write through the read database is a bug, which a retry on the primary would hide
			if (getErrorCode(error) === "25006") throw error;
			// the pool's message when no connection became free: a busy replica is not a failed one
			const isBusy = toError(error).message === "timeout exceeded when trying to connect";
			if (!isBusy && isDatabaseUnavailable(error)) watch.fail(error);
			// the primary answers after any failure, such as a statement that replay cancelled (40001)
			return primary.query(statement);
		}
	}

	const readPool = {
		connect: async () => ({ query, release() {} }),
		async end() {
			await watch.stop();
			await Promise.all([pool.end(), checkPool.end()]);
		},
	};
	return {
		db: new Kysely<DB>({ dialect: createDialect(readPool) }),
		replica: { state: watch.state },
		pool,
		invalidate: watch.invalidate,
		close: readPool.end,
	};
}

interface ReplicaWatch extends Replica {
	invalidate(): void;
	/** Stops using the replica until a check succeeds. */
	fail(error: unknown): void;
	stop(): Promise<void>;
}

/** Checks a replica regularly, and logs when its use starts or ends. */
function watchReplica(
	primary: pg.Pool,
	checkPool: pg.Pool,
	log: Log,
	{ clock, interval }: { clock: () => number; interval: number },
): ReplicaWatch {
	/** Positions of the primary, oldest first. */
	let positions: { position: bigint; at: number }[] = [];
	/** The replica has every commit from before this instant. */
	let completeAt = Number.NEGATIVE_INFINITY;
	const openedAt = clock();
	let fault: string | null = null;
	/** Counts calls of `invalidate`: a check that began before one proves nothing. */
	let invalidations = 0;
	let reported: boolean | undefined;

	const state = () => (fault !== null ? "down" : clock() - completeAt < maxLagMs ? "ok" : "behind");

	function report(): void {
		const ok = state() === "ok";
		// a busy primary is always slightly ahead, so the first proof may need a second check
		const starting = completeAt === Number.NEGATIVE_INFINITY && fault === null && clock() - openedAt < maxLagMs;
		if (ok === reported || starting) return;
		reported = ok;
		if (ok) log.info("the read replica answers searches and company pages");
		else log.warn({ reason: fault ?? "it is more than a minute behind" }, "the read replica is not used: the primary answers in its place");
	}

	/**
	 * Compares positions in the log, not times: an idle primary has an old last transaction, and clocks differ. A replica that has
	 * replayed what the primary had flushed at an instant has every commit from before that instant.
	 */
	async function check(): Promise<void> {
		const at = clock();
		const invalidationsBefore = invalidations;
		const [primaryState, replicaState] = [
			await getServerState(primary).catch(() => null),
			await getServerState(checkPool).catch((error: Error) => describeError(error)),
		];
		if (invalidationsBefore !== invalidations) return;
		if (primaryState?.position)
			positions = [...positions.filter((known) => at - known.at < maxLagMs), { position: BigInt(primaryState.position), at }];
		if (typeof replicaState === "string") fault = replicaState;
		// while the primary does not answer, the last proof stays valid for a minute
		if (typeof replicaState === "string" || primaryState === null) return;
		fault = findMismatch(primaryState, replicaState);
		if (fault !== null) return;
		const replayed = BigInt(replicaState.position ?? 0);
		completeAt = positions.findLast(({ position }) => position <= replayed)?.at ?? completeAt;
	}

	let checking: Promise<void> | undefined;
	const tick = () => {
		checking ??= check().finally(() => {
			checking = undefined;
			report();
		});
		report();
	};
	const timer = setInterval(tick, interval).unref();
	tick();

	return {
		state,
		invalidate() {
			invalidations++;
			positions = [];
			completeAt = Number.NEGATIVE_INFINITY;
		},
		fail(error) {
			fault = describeError(error);
			report();
		},
		async stop() {
			clearInterval(timer);
			await checking;
		},
	};
}

/** Returns why a server is not a usable replica of the primary; null when it is one. */
export function findMismatch(primaryState: ServerState, replicaState: ServerState): string | null {
	if (!replicaState.standby) return "it is not a standby";
	if (primaryState.cluster !== replicaState.cluster || primaryState.database !== replicaState.database)
		return "it is a replica of another database";
	return primaryState.schema === replicaState.schema ? null : "its schema is of another version";
}

/** Without host names or addresses, which the log must not hold. */
const describeError = (error: unknown) => `it cannot be asked (${getErrorCode(error) ?? toError(error).message})`;
