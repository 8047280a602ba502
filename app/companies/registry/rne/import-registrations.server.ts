import type pg from "pg";
import { ZodError } from "zod";
import { Client } from "../../../../server/database/database.ts";
import { BrokenFile } from "../../../../server/files/broken-file.ts";
import { getFileDay } from "../sirene/stock-file.server.ts";
import { type Entry, readEntries } from "./json-list.server.ts";
import { createIncoming, insertIncoming, type MergeResult, mergeIncoming } from "./registrations.store.server.ts";
import { parseRegistration, type Registration, type SkipReason } from "./registrations.ts";

/** The result of an import. */
export interface RegistrationsSummary extends Omit<MergeResult, "withheld"> {
	/** The number of entries in all files. */
	read: number;
	/** The number of skipped entries by reason. */
	skipped: Record<SkipReason, number>;
}

const batchSize = 5000;

/**
 * Imports registrations of the RNE (see parseRegistration) from .json files of any size, and updates the companies.
 * The newest entry of a SIREN wins, including the stored one. Data that a unit withholds are deleted.
 * @param options.asOf yyyy-mm-dd, the day of entries without a date; the default is the day when their file was last written.
 * @throws BrokenFile when a file cannot be read or has another format; nothing is changed then.
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
		await createIncoming(client);
		let read = 0;
		let noLegalPersons = 0;
		let batch: Registration[] = [];
		const flush = async () => {
			await insertIncoming(client, batch);
			batch = [];
		};
		for (const file of files) {
			const fileDay = asOf ?? getFileDay(file);
			for await (const entry of readEntries(file)) {
				read++;
				const registration = parseEntry(file, entry, fileDay);
				if (registration === "no-legal-person") noLegalPersons++;
				else if (batch.push(registration) === batchSize) await flush();
			}
		}
		await flush();
		const { withheld, ...merged } = await mergeIncoming(client);
		await client.query("commit");
		const skipped = { "no-legal-person": noLegalPersons, withheld, older: read - noLegalPersons - withheld - merged.kept };
		return { read, ...merged, skipped };
	} finally {
		await client.end(); // rolls back an open transaction
	}
}

function parseEntry(file: string, { value, where }: Entry, fileDay: string): Registration | "no-legal-person" {
	try {
		return parseRegistration(value, fileDay);
	} catch (error) {
		if (!(error instanceof ZodError)) throw error;
		const [issue] = error.issues;
		throw new BrokenFile(file, where, [issue?.path.join("."), issue?.message].filter(Boolean).join(": "));
	}
}
