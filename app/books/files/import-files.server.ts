import type { Database, Trx } from "../../../server/database/database.ts";
import type { BooksSettings } from "../../catalogue/settings/shop-settings.ts";
import type { Month } from "../month.ts";
import { readJournal } from "../read-journal.server.ts";
import { getFecName, writeFec } from "./journal-files.ts";
import { composeLayout, sage100, writeLayout } from "./journal-layouts.ts";
import type { Settings } from "./month-files.server.ts";

/** A file of a month for the accountant's software. */
export interface ImportFile {
	/** Of its address. */
	key: string;
	label: string;
	name: string;
	write: (db: Database | Trx) => Promise<Uint8Array>;
}

/**
 * The entries of a month as the accountant's software takes them. They depend on a setting, so that they are written when they are asked
 * for, also for closed months: entries do not change.
 */
export function listImportFiles(books: BooksSettings, month: Month, { shop }: Settings): ImportFile[] {
	const read = (db: Database | Trx) => readJournal(db, month, books.customers);
	const files: ImportFile[] = [];
	if (books.customers === "collective")
		files.push({
			key: "fec-collectif",
			label: "Les écritures au format du FEC, clients en un compte collectif",
			name: `collectif-${getFecName(shop.siren, month)}`,
			write: async (db) => writeFec(await read(db)),
		});
	if (books.layout === "sage100")
		files.push({
			key: "journal-sage100",
			label: `Journal pour Sage 100, d’après ${sage100.source.name}, lu le ${sage100.source.readOn}`,
			name: `journal-sage100-${month}.txt`,
			write: async (db) => writeLayout(sage100, await read(db)),
		});
	if (books.layout === "own")
		files.push({
			key: "journal-colonnes",
			label: "Journal dans vos colonnes",
			name: `journal-colonnes-${month}.csv`,
			write: async (db) => writeLayout(composeLayout(books.ownColumns), await read(db)),
		});
	return files;
}
