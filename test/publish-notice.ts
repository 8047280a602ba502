import { sql } from "kysely";
import type { NoticeFamily } from "../app/companies/bulletin/notice.ts";
import type { Database } from "../server/database/database.ts";

interface PublishedNotice {
	siren: string;
	/** Such as « B202601212014 ». */
	id: string;
	/** yyyy-mm-dd */
	publishedOn: string;
	family?: NoticeFamily;
	kind?: string;
	court?: string;
	eventOn?: string;
	/** The notice that this one corrects or, with `cancels`, cancels. */
	target?: string;
	cancels?: boolean;
}

/** Inserts a notice as the import of the bulletin does, for tests of what reads notices. */
export async function publishNotice(
	db: Database,
	{ siren, id, publishedOn, family = "modification", kind, court, eventOn, target, cancels = false }: PublishedNotice,
): Promise<void> {
	for (const text of [kind, court])
		if (text !== undefined) await sql`insert into bulletin_texts (text) values (${text}) on conflict do nothing`.execute(db);
	const textId = (text: string | undefined) => sql`(select id from bulletin_texts where text = ${text ?? null})`;
	await sql`
		insert into bulletin_notices (siren, id, published_on, event_on, court_id, kind_id, family)
		values (${siren}, ${id}, ${publishedOn}, ${eventOn ?? null}, ${textId(court)}, ${textId(kind)}, ${family}::bulletin_family)
	`.execute(db);
	if (target !== undefined) {
		await sql`
			insert into bulletin_corrections (id, target, published_on, cancels) values (${id}, ${target}, ${publishedOn}, ${cancels})
		`.execute(db);
	}
}

/**
 * Records what was read of the bulletin.
 * @param covered the days of publication of which every notice was read; null for single notices only.
 */
export async function recordReading(db: Database, importedAt: Date, covered: { from: string; to: string } | null): Promise<void> {
	await sql`
		insert into bulletin_readings (imported_at, covered_from, covered_to) values (${importedAt}, ${covered?.from ?? null}, ${covered?.to ?? null})
		on conflict (only_row) do update set imported_at = excluded.imported_at, covered_from = excluded.covered_from, covered_to = excluded.covered_to
	`.execute(db);
}
