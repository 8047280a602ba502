import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { Database } from "./database.ts";

/** Milliseconds: one day, and two hours to make the backup. */
export const maxBackupAgeMs = 26 * 3_600_000;

/** PostgreSQL's archiving, or the newest file of a folder. */
export interface LastBackup {
	kind: "archiving" | "file";
	/** Null: there is none yet. */
	at: Date | null;
	/** PostgreSQL's `archive_command` fails. */
	isFailing: boolean;
}

/**
 * Finds the last backup of each kind that this machine knows; empty when it knows none.
 * @throws when the folder cannot be read.
 */
export async function findLastBackups(db: Database, folder: string | undefined): Promise<LastBackup[]> {
	const archiving = await findArchiving(db);
	return [
		...(archiving === null ? [] : [archiving]),
		...(folder === undefined ? [] : [{ kind: "file" as const, at: await findNewestDump(folder), isFailing: false }]),
	];
}

/** Reads the state of continuous archiving; null when it is off. */
async function findArchiving(db: Database): Promise<LastBackup | null> {
	const { rows } = await sql<{ mode: string; archived: Date | null; failed: Date | null }>`
		select current_setting('archive_mode') as mode, last_archived_time as archived, last_failed_time as failed from pg_stat_archiver`.execute(
		db,
	);
	const { mode = "off", archived = null, failed = null } = rows[0] ?? {};
	if (mode === "off") return null;
	return { kind: "archiving", at: archived, isFailing: failed !== null && (archived === null || failed > archived) };
}

/** Ignores empty files, and unfinished ones (.part, see deploy/). */
async function findNewestDump(folder: string): Promise<Date | null> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	let newest: Date | null = null;
	for (const entry of entries) {
		if (!entry.isFile() || entry.name.endsWith(".part")) continue;
		const { mtime, size } = await stat(join(entry.parentPath, entry.name));
		if (size > 0 && (newest === null || mtime > newest)) newest = mtime;
	}
	return newest;
}
