import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import pg from "pg";
import {
	buildIndexes,
	buildVocabulary,
	closeStaging,
	copyEstablishments,
	copyUnits,
	joinCompanies,
	openStaging,
	recordSources,
	swap,
} from "./import.store.server.ts";
import { readRegistrations } from "./registrations.ts";
import { establishmentColumns, readEstablishment, readUnit, unitColumns } from "./sirene-rows.ts";
import { readStockFile } from "./stock-file.server.ts";

export interface ImportProgress {
	step: "establishments" | "units" | "joining" | "indexing" | "done";
	/** Of the whole import, 0 to 1. */
	fraction: number;
}

export interface ImportOptions {
	/** `immatriculations.json`: capital, registration, removal, single partner. */
	registrationsFile?: string;
	/** Day of that file, yyyy-mm-dd. */
	registrationsAsOf?: string;
	onProgress?: (progress: ImportProgress) => void;
}

/** Share of an import's time that reading the files takes. */
const reading = 0.7;

/**
 * Imports INSEE's SIRENE stock files (.csv or .csv.gz), and registrations where given, in constant memory.
 * The live tables are replaced in one transaction, and only when the new ones are complete.
 * Two imports at once: the second waits for the first.
 * @returns how many companies the tables now hold.
 * @throws Error when a file cannot be read, is another one or holds no unit; the live tables are then untouched.
 */
export async function importCompanies(
	connection: pg.ClientConfig,
	unitsFile: string,
	establishmentsFile: string,
	{ registrationsFile, registrationsAsOf, onProgress = () => {} }: ImportOptions = {},
): Promise<{ companies: number }> {
	const sizes = [establishmentsFile, unitsFile].map((file) => statSync(file).size);
	const total = sizes.reduce((sum, size) => sum + size, 0);
	const onBytes = (step: ImportProgress["step"], before: number) => {
		let last = 0;
		return (bytes: number) => {
			if (bytes === last) return;
			last = bytes;
			onProgress({ step, fraction: (reading * (before + bytes)) / total });
		};
	};
	const registrations = registrationsFile ? readRegistrations(await readFile(registrationsFile, "utf8")) : undefined;

	const client = new pg.Client({ application_name: "extrait-pro import", ...connection });
	await client.connect();
	try {
		await openStaging(client);
		await copyEstablishments(client, establishments(establishmentsFile, onBytes("establishments", 0)));
		await copyUnits(client, units(unitsFile, registrations, onBytes("units", sizes[0] ?? 0)));
		onProgress({ step: "joining", fraction: reading });
		const companies = await joinCompanies(client);
		if (companies === 0) throw new Error(`${unitsFile} holds no unit`);
		onProgress({ step: "indexing", fraction: 0.85 });
		await buildVocabulary(client);
		await recordSources(client, new Date(), registrations ? { asOf: registrationsAsOf ?? null, companies: registrations.size } : null);
		await buildIndexes(client);
		await swap(client);
		onProgress({ step: "done", fraction: 1 });
		return { companies };
	} finally {
		await closeStaging(client).catch(() => {}); // the next import clears it away, should the database be gone
		await client.end().catch(() => {});
	}
}

type Registrations = ReturnType<typeof readRegistrations>;

async function* units(file: string, registrations: Registrations | undefined, onBytes: (bytes: number) => void) {
	for await (const column of readStockFile(file, unitColumns, onBytes)) {
		const unit = readUnit(column, registrations?.get(column("siren")));
		if (unit) yield unit;
	}
}

async function* establishments(file: string, onBytes: (bytes: number) => void) {
	for await (const column of readStockFile(file, establishmentColumns, onBytes)) {
		const establishment = readEstablishment(column);
		if (establishment) yield establishment;
	}
}
