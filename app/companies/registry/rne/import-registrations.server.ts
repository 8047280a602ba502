import { basename } from "node:path";
import type pg from "pg";
import { ZodError } from "zod";
import { Client } from "../../../../server/database/database.ts";
import { BrokenFile } from "../../../../server/files/broken-file.ts";
import { type FileRecord, isJson, peekStart, readJsonRecords } from "../../../../server/files/json-records.ts";
import { getFileDay, openFile } from "../../../../server/files/open-file.server.ts";
import { checkSkipped, maxNamedFaults } from "../../../../server/files/skipped-entries.ts";
import { toError } from "../../../../server/types/errors.ts";
import { createIncoming, insertIncoming, type MergeResult, mergeIncoming } from "./registrations.store.server.ts";
import { parseRegistration, type Registration, type SkipReason } from "./registrations.ts";

/** The result of an import. */
export interface RegistrationsSummary extends Omit<MergeResult, "withheld"> {
	/** The number of entries in all files. */
	read: number;
	/** The number of skipped entries by reason. */
	skipped: Record<SkipReason, number>;
	/** The first unreadable entries: file, line, reason. */
	faults: string[];
}

const batchSize = 5000;
/** More than a thousand times the size of a company's entry. */
const maxEntryBytes = 64 << 20;

/**
 * Imports registrations of the RNE (see parseRegistration) from JSON files of any size, and updates the companies. Of each field the newest entry
 * that says it counts, whatever the order of the files. Data that a unit withholds are deleted. Entries that cannot be read are skipped, up to a share.
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
		const faults: string[] = [];
		let [read, faulty, noLegalPersons] = [0, 0, 0];
		let batch: Registration[] = [];
		const flush = async () => {
			await insertIncoming(client, batch);
			batch = [];
		};
		for (const file of files) {
			const fileDay = asOf ?? getFileDay(file);
			const counts = { read: 0, faulty: 0 };
			let firstFault = "";
			for await (const block of readEntries(file)) {
				for (const record of block) {
					counts.read++;
					const entry = record.value === null ? { fault: record.fault ?? "" } : parseEntry(record.value, fileDay);
					if (entry === "no-legal-person") noLegalPersons++;
					else if ("siren" in entry) batch.push(entry);
					else {
						counts.faulty++;
						firstFault ||= `line ${record.line}: ${entry.fault}`;
						if (faults.length < maxNamedFaults) faults.push(`${basename(file)}, line ${record.line}: ${entry.fault}`);
					}
					if (batch.length === batchSize) await flush();
				}
				checkSkipped(file, `line ${block.at(-1)?.line}`, counts, `entries so far are no registrations, such as ${firstFault}`);
			}
			if (counts.faulty > 0 && counts.faulty === counts.read) throw new BrokenFile(file, "", `it holds no registration: ${firstFault}`);
			read += counts.read;
			faulty += counts.faulty;
		}
		await flush();
		const { withheld, ...merged } = await mergeIncoming(client);
		await client.query("commit");
		const older = read - noLegalPersons - faulty - withheld - merged.kept;
		return { read, ...merged, skipped: { "no-legal-person": noLegalPersons, withheld, older, faulty }, faults };
	} finally {
		await client.end(); // rolls back an open transaction
	}
}

/** @returns an entry, or why it cannot be read, without its values. */
function parseEntry(value: unknown, fileDay: string): Registration | "no-legal-person" | { fault: string } {
	try {
		return parseRegistration(value, fileDay);
	} catch (error) {
		if (!(error instanceof ZodError)) throw error;
		return { fault: error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join(", ") };
	}
}

/** @throws BrokenFile, also during iteration, for a file that is missing, holds no JSON, or ends too early. */
async function* readEntries(file: string): AsyncGenerator<FileRecord[]> {
	const { start, rest } = await peekStart(openJson(file));
	if (start === "") throw new BrokenFile(file, "", "it is empty");
	if (!isJson(start)) throw new BrokenFile(file, "", start.startsWith("<") ? "it is a web page" : "it holds no JSON");
	for await (const block of readJsonRecords(rest, start, maxEntryBytes)) {
		const cut = block.find((record) => record.cut && record.value === null);
		if (cut) throw new BrokenFile(file, `line ${cut.line}`, "it ends before its list or its entry does: it was cut short");
		yield block;
	}
}

async function* openJson(file: string): AsyncGenerator<Buffer> {
	const { chunks } = openFile(file, "json");
	try {
		yield* chunks;
	} catch (error) {
		throw new BrokenFile(file, "", toError(error).message);
	}
}
