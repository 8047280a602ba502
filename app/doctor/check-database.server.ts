import { sql } from "kysely";
import type { Database } from "../../server/database/database.ts";
import { migrations } from "../../server/database/migrate.ts";
import { type Check, count, found } from "./check.ts";

/** Milliseconds by which this machine's clock may differ from the database's. */
const clockSkew = 2000;

/** Connections that must be left: what a new process of tasks opens at most (docs/deployment.md), which an upgrade starts beside the old one. */
const enoughConnections = 16;

/** Transactions: PostgreSQL freezes at 200 million by itself, and stops writing at two thousand million. */
const oldestAge = 1_000_000_000;

async function one<Row>(db: Database, query: ReturnType<typeof sql<Row>>): Promise<Row> {
	const [row] = (await query.execute(db)).rows;
	if (row === undefined) throw new Error("no row");
	return row;
}

export const databaseChecks: Check[] = [
	{
		name: "schema",
		what: "Schéma de la base",
		how: "chaque migration de ce programme est faite",
		todo: "Mettez la base à jour\u00a0: npm run db:migrate.",
		async examine({ db }) {
			const known = Object.keys(migrations());
			const { empty } = await one(db, sql<{ empty: boolean }>`select to_regclass('kysely_migration') is null as empty`);
			if (empty) return found("vide", "La base est vide.");
			const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
			const done = new Set(rows.map(({ name }) => name));
			return found(known.at(-1) ?? "", ...known.filter((name) => !done.has(name)).map((name) => `La migration ${name} n’est pas faite.`));
		},
	},
	{
		name: "clock",
		what: "Horloge",
		how: "cette machine et la base ont la même heure, à deux secondes près",
		todo: "Réglez l’heure des deux machines par NTP.",
		async examine({ db, now }) {
			const asked = now().getTime();
			const { at } = await one(db, sql<{ at: Date }>`select clock_timestamp() as at`);
			// the answer was made at some time in between
			const apart = Math.max(0, asked - at.getTime(), at.getTime() - now().getTime());
			const seconds = `${(apart / 1000).toFixed(1).replace(".", ",")}\u00a0s d’écart`;
			return found(seconds, ...(apart > clockSkew ? [`${seconds} avec la base.`] : []));
		},
	},
	{
		name: "version",
		what: "Version de PostgreSQL",
		how: "15 au moins",
		todo: "Passez à une version tenue à jour de PostgreSQL (docs/deployment.md, Upgrade).",
		async examine({ db }) {
			const { version } = await one(db, sql<{ version: string }>`select current_setting('server_version') as version`);
			return found(version, ...(Number.parseInt(version, 10) < 15 ? [`PostgreSQL ${version} est trop ancien.`] : []));
		},
	},
	{
		name: "encoding",
		what: "Encodage et ordre des textes",
		how: "UTF-8, et la version de l’ordre alphabétique est celle des index",
		todo: "Recréez la base en UTF-8\u00a0; si c’est l’ordre qui a changé\u00a0: reindex database, puis alter database … refresh collation version.",
		async examine({ db }) {
			const { encoding, collation, made, actual } = await one(
				db,
				sql<{ encoding: string; collation: string; made: string | null; actual: string | null }>`
					select pg_encoding_to_char(encoding) as encoding, datcollate as collation, datcollversion as made,
						pg_database_collation_actual_version(oid) as actual
					from pg_database where datname = current_database()`,
			);
			return found(
				`${encoding}, ${collation}`,
				...(encoding === "UTF8" ? [] : [`La base est en ${encoding}.`]),
				...(made !== actual ? [`L’ordre ${collation} a changé (${made ?? "?"}, puis ${actual ?? "?"}).`] : []),
			);
		},
	},
	{
		name: "connections",
		what: "Connexions à la base",
		how: `il en reste au moins ${enoughConnections}, pour un processus de plus`,
		todo: "Augmentez max_connections, ou arrêtez des processus de trop.",
		async examine({ db }) {
			const { most, used } = await one(
				db,
				sql<{ most: number; used: number }>`select
					current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as most,
					-- pg_stat_activity hides from a plain role what the connections of others are
					(select sum(numbackends)::integer from pg_stat_database) as used`,
			);
			const seen = `${used} sur ${most}`;
			return found(seen, ...(most - used < enoughConnections ? [`${seen} sont prises.`] : []));
		},
	},
	{
		name: "wraparound",
		what: "Âge des transactions",
		how: "moins d’un milliard\u00a0: VACUUM suit",
		todo: "Cherchez ce qui retient VACUUM (transactions ouvertes, emplacements de réplication), puis lancez vacuum freeze.",
		async examine({ db }) {
			const { age } = await one(
				db,
				sql<{ age: number }>`select age(datfrozenxid) as age from pg_database where datname = current_database()`,
			);
			const seen = count(age, "transaction");
			return found(seen, ...(age > oldestAge ? [`La plus ancienne remonte à ${seen}.`] : []));
		},
	},
];
