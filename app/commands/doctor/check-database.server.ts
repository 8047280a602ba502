import { sql } from "kysely";
import type { Database } from "../../../server/database/database.ts";
import { getSchemaState, readMigrations } from "../../../server/database/migrate.ts";
import { SchemaError } from "../../../server/database/schema-error.ts";
import { type Check, createResult, formatCount } from "./check.ts";

/** Milliseconds by which the clocks of this machine and the database may differ. */
const maxClockDifferenceMs = 2000;

/** During an upgrade, a second jobs process opens up to this many connections (docs/deployment.md). */
const minFreeConnections = 16;

/** In transactions. PostgreSQL freezes rows at 200 million and refuses writes at two thousand million. */
const maxTransactionAge = 1_000_000_000;

async function getRow<Row>(db: Database, query: ReturnType<typeof sql<Row>>): Promise<Row> {
	const [row] = (await query.execute(db)).rows;
	if (row === undefined) throw new Error("no row");
	return row;
}

export const databaseChecks: Check[] = [
	{
		name: "schema",
		what: "Schema of the database",
		how: "every migration of this program is applied",
		todo: "Migrate the database: npm run db:migrate.",
		async examine({ db }) {
			const newest = Object.keys(readMigrations()).at(-1) ?? "";
			const state = await getSchemaState(db).catch((error) => {
				if (error instanceof SchemaError) return error;
				throw error;
			});
			if (state instanceof SchemaError) return createResult("of another program", `${state.message} ${state.todo}`);
			if (state === "empty") return createResult("empty", "The database is empty.");
			return createResult(
				newest,
				...(state === "older" ? [`The database is older than this program, which has the migration ${newest}.`] : []),
			);
		},
	},
	{
		name: "clock",
		what: "Clock",
		how: "this machine and the database differ by two seconds at most",
		todo: "Synchronise both machines by NTP.",
		async examine({ db, now }) {
			const startedAt = now().getTime();
			const { at } = await getRow(db, sql<{ at: Date }>`select clock_timestamp() as at`);
			// the database read its clock between the two readings here
			const differenceMs = Math.max(0, startedAt - at.getTime(), at.getTime() - now().getTime());
			const difference = `${(differenceMs / 1000).toFixed(1)} s apart`;
			return createResult(difference, ...(differenceMs > maxClockDifferenceMs ? [`The clocks are ${difference}.`] : []));
		},
	},
	{
		name: "version",
		what: "Version of PostgreSQL",
		how: "15 or later",
		todo: "Upgrade to a supported version of PostgreSQL (docs/deployment.md, Upgrade).",
		async examine({ db }) {
			const { version } = await getRow(db, sql<{ version: string }>`select current_setting('server_version') as version`);
			return createResult(version, ...(Number.parseInt(version, 10) < 15 ? [`PostgreSQL ${version} is too old.`] : []));
		},
	},
	{
		name: "encoding",
		what: "Encoding and collation",
		how: "UTF-8, and the collation has the version of the indexes",
		todo: "Recreate the database in UTF-8. If the collation changed: reindex database, then alter database … refresh collation version.",
		async examine({ db }) {
			const { encoding, collation, made, actual } = await getRow(
				db,
				sql<{ encoding: string; collation: string; made: string | null; actual: string | null }>`
					select pg_encoding_to_char(encoding) as encoding, datcollate as collation, datcollversion as made,
						pg_database_collation_actual_version(oid) as actual
					from pg_database where datname = current_database()`,
			);
			return createResult(
				`${encoding}, ${collation}`,
				...(encoding === "UTF8" ? [] : [`The encoding is ${encoding}.`]),
				...(made !== actual ? [`The collation ${collation} changed (${made ?? "?"}, then ${actual ?? "?"}).`] : []),
			);
		},
	},
	{
		name: "connections",
		what: "Database connections",
		how: `at least ${minFreeConnections} are free, for one more process`,
		todo: "Raise max_connections, or stop superfluous processes.",
		async examine({ db }) {
			const { most, used } = await getRow(
				db,
				sql<{ most: number; used: number }>`select
					current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as most,
					-- pg_stat_activity hides the connections of other roles from an ordinary role
					(select sum(numbackends)::integer from pg_stat_database) as used`,
			);
			const seen = `${used} of ${most}`;
			return createResult(seen, ...(most - used < minFreeConnections ? [`${seen} are in use.`] : []));
		},
	},
	{
		name: "wraparound",
		what: "Age of transactions",
		how: "less than a thousand million, so VACUUM keeps up",
		todo: "Find what blocks VACUUM (open transactions, replication slots), then run vacuum freeze.",
		async examine({ db }) {
			const { age } = await getRow(
				db,
				sql<{ age: number }>`select age(datfrozenxid) as age from pg_database where datname = current_database()`,
			);
			const seen = formatCount(age, "transaction");
			return createResult(seen, ...(age > maxTransactionAge ? [`The oldest is ${seen} old.`] : []));
		},
	},
];
