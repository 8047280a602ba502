import type { Database, Trx } from "../../../server/database/database.ts";
import { typedKeys } from "../../../server/types/objects.ts";
import type { BooksSettings } from "../../catalogue/settings/shop-settings.ts";
import type { Month } from "../month.ts";
import { readJournal } from "../read-journal.server.ts";
import { getFecName, writeFec } from "./journal-files.ts";
import type { MonthFile, Settings } from "./month-files.server.ts";

interface ImportFile {
	label: string;
	/** Whether the setting asks for it. */
	isOffered: (books: BooksSettings) => boolean;
	getName: (month: Month, settings: Settings) => string;
	write: (db: Database | Trx, month: Month) => Promise<Uint8Array>;
}

/**
 * The entries of a month as the accountant's software takes them. They depend on a setting, so that they are written when they are asked
 * for, also for closed months: entries do not change.
 */
export const importFiles = {
	"fec-collective": {
		label: "Les écritures au format du FEC, clients en un compte collectif",
		isOffered: ({ customers }) => customers === "collective",
		getName: (month, { shop }) => `collectif-${getFecName(shop.siren, month)}`,
		write: async (db, month) => writeFec(await readJournal(db, month, "collective")),
	},
} as const satisfies Record<string, ImportFile>;

export type ImportFileKey = keyof typeof importFiles;

/** The files that the setting asks for. */
export const listImportFiles = (books: BooksSettings): ImportFileKey[] =>
	typedKeys(importFiles).filter((key) => importFiles[key].isOffered(books));

export async function writeImportFile(db: Database | Trx, settings: Settings, month: Month, key: ImportFileKey): Promise<MonthFile> {
	return { name: importFiles[key].getName(month, settings), bytes: await importFiles[key].write(db, month) };
}
