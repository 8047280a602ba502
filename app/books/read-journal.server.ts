import type { Database, Trx } from "../../server/database/database.ts";
import { listEntries, listEntriesOfSubjects } from "./entries.store.server.ts";
import type { JournalOfMonth } from "./files/journal-files.ts";
import { letterLines } from "./letter-lines.ts";
import type { Month } from "./month.ts";

/** Reads the entries of a month with their letters, which also depend on the earlier entries of the same orders. */
export async function readJournal(db: Database | Trx, month: Month): Promise<JournalOfMonth> {
	const entries = await listEntries(db, month);
	const subjects = [...new Set(entries.map(({ subject }) => subject))];
	return { month, entries, letters: letterLines(await listEntriesOfSubjects(db, subjects, month)) };
}
