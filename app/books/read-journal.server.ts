import type { Database, Trx } from "../../server/database/database.ts";
import { listEntries, listEntriesBetween, listEntriesOfSubjects } from "./entries.store.server.ts";
import type { Entry } from "./entry.ts";
import type { JournalPart } from "./files/journal-files.ts";
import type { FiscalYear } from "./fiscal-year.ts";
import { letterLines } from "./letter-lines.ts";
import type { Month } from "./month.ts";

type Customers = JournalPart["customers"];

/** Reads the entries of a month with their letters, which also depend on the earlier entries of the same orders. */
export async function readJournal(db: Database | Trx, month: Month, customers: Customers = "order"): Promise<JournalPart> {
	return letter(db, await listEntries(db, month), { until: month, customers });
}

/**
 * Reads the entries of a fiscal year part by part, in the order of their posting. Groups that span its months have their letter on both
 * sides. @param entriesAtOnce so many are in memory at once.
 */
export async function* readYear(
	db: Database,
	{ first, last }: FiscalYear,
	customers: Customers,
	entriesAtOnce = 2000,
): AsyncGenerator<JournalPart> {
	for (let after = 0; ; ) {
		const entries = await listEntriesBetween(db, { first, last, after, limit: entriesAtOnce });
		if (entries.length === 0) return;
		yield letter(db, entries, { until: last, customers });
		after = entries.at(-1)?.id ?? after;
	}
}

async function letter(
	db: Database | Trx,
	entries: readonly Entry[],
	{ until, customers }: { until: Month; customers: Customers },
): Promise<JournalPart> {
	const subjects = [...new Set(entries.map(({ subject }) => subject))];
	return { entries, letters: letterLines(await listEntriesOfSubjects(db, subjects, until)), customers };
}
