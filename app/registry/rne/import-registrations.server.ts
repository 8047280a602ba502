import { statSync } from "node:fs";
import type pg from "pg";
import { ZodError } from "zod";
import { Client } from "../../../server/database/database.ts";
import { BrokenFile } from "../sirene/stock-file.server.ts";
import { type Entry, readEntries } from "./json-list.server.ts";
import { addIncoming, type Merged, mergeIncoming, openIncoming } from "./registrations.store.server.ts";
import { type Registration, readRegistration, type SetAside } from "./registrations.ts";

/** What an import did with the entries of its files. */
export interface RegistrationsSummary extends Omit<Merged, "withheld"> {
	/** Entries, of all files. */
	read: number;
	/** How many entries were set aside, by reason. */
	setAside: Record<SetAside, number>;
}

const batchSize = 5000;

/**
 * Imports registrations of the RNE (see readRegistration) from .json files, lists of any size, and brings the companies in line.
 * The newest entry of a SIREN wins, also against what is known. What a unit withholds is forgotten.
 * @param options.asOf yyyy-mm-dd, the day of entries that do not say theirs; by default the day on which their file was last written.
 * @throws BrokenFile where a file cannot be read or is another one; nothing is changed then.
 */
export async function importRegistrations(
	connection: pg.ClientConfig,
	files: string[],
	{ asOf }: { asOf?: string } = {},
): Promise<RegistrationsSummary> {
	const client = new Client({ application_name: "extrait-pro import", ...connection });
	await client.connect();
	try {
		await client.query("begin");
		await openIncoming(client);
		let read = 0;
		let others = 0;
		let batch: Registration[] = [];
		const flush = async () => {
			await addIncoming(client, batch);
			batch = [];
		};
		for (const file of files) {
			const fileDay = asOf ?? lastWritten(file);
			for await (const entry of readEntries(file)) {
				read++;
				const registration = readEntry(file, entry, fileDay);
				if (registration === "no-legal-person") others++;
				else if (batch.push(registration) === batchSize) await flush();
			}
		}
		await flush();
		const { withheld, ...merged } = await mergeIncoming(client);
		await client.query("commit");
		const setAside = { "no-legal-person": others, withheld, older: read - others - withheld - merged.kept };
		return { read, ...merged, setAside };
	} finally {
		await client.end(); // ends a transaction that was not committed
	}
}

function readEntry(file: string, { value, where }: Entry, fileDay: string): Registration | "no-legal-person" {
	try {
		return readRegistration(value, fileDay);
	} catch (error) {
		if (!(error instanceof ZodError)) throw error;
		const [issue] = error.issues;
		throw new BrokenFile(file, where, [issue?.path.join("."), issue?.message].filter(Boolean).join(": "));
	}
}

function lastWritten(file: string): string {
	const stat = statSync(file, { throwIfNoEntry: false });
	if (!stat) throw new BrokenFile(file, "", "there is no such file");
	return stat.mtime.toISOString().slice(0, 10);
}
