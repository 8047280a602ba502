import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import { createLog, type Log } from "../observability/log.ts";
import { getErrorCode, toError } from "../types/errors.ts";
import { type Database, isDatabaseUnavailable, openDatabase } from "./database.ts";
import type { DB } from "./database-types.gen.ts";

/**
 * A database for reads that may be a minute old: a streaming replica answers, and the primary whenever the replica cannot
 * (docs/decisions/0013). Each statement is sent on its own, so there are no transactions.
 */
export interface ReadDatabase {
	db: Database;
	replica: Replica;
	pool: pg.Pool;
	/** Has the primary answer until the replica is proved to have what was committed up to now. */
	distrust(): void;
	close(): Promise<void>;
}

export interface Replica {
	/** Whether the replica answers now; « behind » when it could, but may lack what is older than a minute. */
	state(): "ok" | "behind" | "down";
}

/** The oldest a replica's answer may be, in milliseconds: a company that objected is hidden within a minute (docs/decisions/0013). */
const maxLag = 60_000;

const checkInterval = 2000;

/** Milliseconds: the primary waits for nobody. The server ends a statement itself before we stop listening. */
const timeouts = { connectionTimeoutMillis: 1000, statement_timeout: 5000, query_timeout: 6000 };

export interface ServerState {
	standby: boolean;
	position: string | null;
	cluster: string;
	database: string;
	schema: string | null;
}

/**
 * What tells two servers apart, and how far each is: the primary by what it has flushed, as more is not sent to standbys, a standby by
 * what it has replayed (postgresql.org/docs/18/functions-admin.html). Any role may ask.
 */
const factsQuery = `
	select pg_is_in_recovery() as standby,
		(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn)::text as position,
		system_identifier::text as cluster, current_database()::text as database, (select max(name) from kysely_migration) as schema
	from pg_control_system()`;

async function askFacts(pool: pg.Pool): Promise<ServerState> {
	const { rows } = await pool.query<ServerState>(factsQuery);
	if (!rows[0]) throw new Error("the server says nothing of itself");
	return rows[0];
}

/**
 * Opens a replica beside its primary, and watches it until it is closed.
 * @param clock milliseconds that never go back.
 */
export function openReadDatabase(
	primary: pg.Pool,
	connection: pg.PoolConfig,
	log: Log,
	{ clock = () => performance.now(), interval = checkInterval }: { clock?: () => number; interval?: number } = {},
): ReadDatabase {
	// that connections were lost is said once, by what follows
	const { pool } = openDatabase({ application_name: "extrait-pro reads", ...timeouts, ...connection }, createLog("silent"));
	// a connection of its own: a peak of searches says nothing of the replica
	const { pool: watch } = openDatabase({ application_name: "extrait-pro reads", ...timeouts, ...connection, max: 1 }, createLog("silent"));
	/** Where the primary was at an instant, oldest first. */
	let positions: { position: bigint; at: number }[] = [];
	/** The replica has all that the primary had committed by then. */
	let completeAt = Number.NEGATIVE_INFINITY;
	const openedAt = clock();
	let fault: string | null = null;
	/** How often the replica was distrusted: a check that began before proves nothing. */
	let distrusted = 0;
	let reported: boolean | undefined;

	const state = () => (fault !== null ? "down" : clock() - completeAt < maxLag ? "ok" : "behind");

	function report(): void {
		const ok = state() === "ok";
		// a busy primary is always a little further: the first proof may take until the second check
		const starting = completeAt === Number.NEGATIVE_INFINITY && fault === null && clock() - openedAt < maxLag;
		if (ok === reported || starting) return;
		reported = ok;
		if (ok) log.info("the read replica answers searches and company pages");
		else log.warn({ reason: fault ?? "it is more than a minute behind" }, "the read replica is not used: the primary answers in its place");
	}

	/**
	 * Compares positions in the log, not times: the time of the last replayed transaction grows old on an idle primary, and clocks differ.
	 * A replica that has replayed what the primary had flushed at an instant has every commit from before that instant.
	 */
	async function check(): Promise<void> {
		const at = clock();
		const before = distrusted;
		const [ours, theirs] = [await askFacts(primary).catch(() => null), await askFacts(watch).catch((error: Error) => describe(error))];
		if (before !== distrusted) return;
		if (ours?.position) positions = [...positions.filter((known) => at - known.at < maxLag), { position: BigInt(ours.position), at }];
		if (typeof theirs === "string") fault = theirs;
		// while the primary says nothing, the last proof holds until it is a minute old
		if (typeof theirs === "string" || ours === null) return;
		fault = findMismatch(ours, theirs);
		if (fault !== null) return;
		const replayed = BigInt(theirs.position ?? 0);
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

	async function query(text: string, parameters: readonly unknown[]) {
		if (/^(begin|start transaction)\b/.test(text)) throw new Error("reads have no transactions: two servers may answer them");
		if (state() !== "ok") return primary.query(text, [...parameters]);
		try {
			return await pool.query(text, [...parameters]);
		} catch (error) {
			// a write: the fault is ours, and the primary must not hide it
			if (getErrorCode(error) === "25006") throw error;
			// not used again before a check has succeeded
			// no connection was free: the pool says so of one that waited, in these words only, and the last that waits leaves nobody behind
			const isBusy = toError(error).message === "timeout exceeded when trying to connect";
			if (!isBusy && (isDatabaseUnavailable(error) || toError(error).message === "Query read timeout")) {
				fault = describe(error);
				report();
			}
			// whatever failed there, such as a statement that replay cancelled (40001), is asked of the primary
			return primary.query(text, [...parameters]);
		}
	}

	const readPool = {
		options: {},
		connect: async () => ({ query, release() {} }),
		async end() {
			clearInterval(timer);
			await checking;
			await Promise.all([pool.end(), watch.end()]);
		},
	};
	return {
		db: new Kysely<DB>({ dialect: new PostgresDialect({ pool: readPool as never }) }),
		replica: { state },
		pool,
		distrust() {
			distrusted++;
			positions = [];
			completeAt = Number.NEGATIVE_INFINITY;
		},
		close: readPool.end,
	};
}

/** Why a server is no replica of the primary for this program; null when it is. */
export function findMismatch(ours: ServerState, theirs: ServerState): string | null {
	if (!theirs.standby) return "it is not a standby";
	if (ours.cluster !== theirs.cluster || ours.database !== theirs.database) return "it is a replica of another database";
	return ours.schema === theirs.schema ? null : "its schema is of another version";
}

/** Without an address: a log names none. */
const describe = (error: unknown) => `it cannot be asked (${getErrorCode(error) ?? toError(error).message})`;
