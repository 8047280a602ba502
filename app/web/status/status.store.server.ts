import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import { zone } from "../../catalogue/instants.ts";
import type { ProbeDay, ProbeSpan } from "./availability.ts";
import type { Measure } from "./incidents.ts";
import { type Part, partNames } from "./part.ts";
import type { Probe } from "./probe-parts.server.ts";

/** All SQL on `probes`, `probe_days` and `readiness`. */

/**
 * Tests writes: updates a row, and writes two megabytes of temporary files, which need free disk space.
 * @throws when the database refuses writes or its disk is full.
 */
export async function writeReadiness(db: Database): Promise<void> {
	await db.transaction().execute(async (trx) => {
		await sql`set local work_mem = '64kB'`.execute(trx);
		await sql`select count(*) from string_to_table(repeat(repeat('x', 1000) || ',', 2000), ',')`.execute(trx);
		// last, because all processes write the same row and an interrupted one must not keep its lock
		await sql`
			insert into readiness (written_at) values (now())
			on conflict (singleton) do update set written_at = excluded.written_at`.execute(trx);
	});
}

/** Inserts the probes of an instant and counts them in their day. Existing probes of that instant stay. */
export async function insertProbes(db: Database, at: Date, probes: Record<Part, Probe>): Promise<void> {
	const oks = partNames.map((part) => probes[part].ok);
	const times = partNames.map((part) => probes[part].ms);
	await sql`
		with measured as (
			select * from unnest(${partNames}::text[], ${oks}::boolean[], ${times}::integer[]) as measured (part, ok, ms)
		), written as (
			insert into probes (part, at, ok, ms, changed)
			select part, ${at}, ok, ms, ok is distinct from
				(select ok from probes before where before.part = measured.part and before.at < ${at} order by before.at desc limit 1)
			from measured
			on conflict do nothing
			returning part, ok
		)
		insert into probe_days (part, day, checks, failed)
		select part, (${at}::timestamptz at time zone ${zone})::date, 1, (not ok)::integer from written
		on conflict (part, day) do update set checks = probe_days.checks + 1, failed = probe_days.failed + excluded.failed
	`.execute(db);
}

/** The days since a given one, as ISO dates in Europe/Paris. A day without measures is absent. */
export async function listProbeDays(db: Database, from: string): Promise<ProbeDay[]> {
	const { rows } = await sql<ProbeDay>`
		select part, to_char(day, 'YYYY-MM-DD') as day, checks, failed from probe_days where day >= ${from}::date`.execute(db);
	return rows;
}

export async function findProbeSpan(db: Database): Promise<ProbeSpan> {
	const query = db.selectFrom("probes").select((eb) => [eb.fn.min("at").as("first"), eb.fn.max("at").as("last")]);
	const span = await query.executeTakeFirst();
	return { first: span?.first ?? null, last: span?.last ?? null };
}

/** The changes of each part since an instant, oldest first: its first measure, and each one that differs from the one before. */
export async function listChanges(db: Database, since: Date): Promise<Measure[]> {
	const { rows } = await sql<Measure>`
		select part, at, ok from probes where changed and at >= ${since}
		union
		select first.* from unnest(${partNames}::text[]) as named (part)
			cross join lateral (select part, at, ok from probes where probes.part = named.part and at >= ${since} order by at limit 1) as first
		order by at, part
	`.execute(db);
	return rows;
}

/** Deletes the probes before an instant. @returns the number of deleted rows. */
export async function deleteOldProbes(db: Database, before: Date): Promise<number> {
	const deleted = await db.deleteFrom("probes").where("at", "<", before).executeTakeFirst();
	await sql`delete from probe_days where day < (${before}::timestamptz at time zone ${zone})::date`.execute(db);
	return Number(deleted.numDeletedRows);
}

/** The newest measure of each part. */
export async function listLastProbes(trx: Trx): Promise<{ part: Part; ok: boolean; at: Date }[]> {
	const { rows } = await sql<{ part: Part; ok: boolean; at: Date }>`
		select part, ok, at from unnest(${partNames}::text[]) as part
			cross join lateral (select ok, at from probes where probes.part = part.part order by at desc limit 1) as last`.execute(trx);
	return rows;
}
