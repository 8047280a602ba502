import type pg from "pg";
import { Client } from "../../../../server/database/database.ts";
import { configureSession } from "../sirene/import.store.server.ts";
import { getFileDay } from "../sirene/stock-file.server.ts";
import { readVatFile, type VatFileCounts } from "./vat-file.server.ts";
import { copyIncoming, type MergedVatNumbers, mergeIncoming } from "./vat-numbers.store.server.ts";

/** The result of an import. */
export interface VatSummary extends VatFileCounts, MergedVatNumbers {
	/** The day of the file, yyyy-mm-dd. */
	asOf: string;
}

export interface VatImportOptions {
	/** yyyy-mm-dd, the day of the file; the default is the day when it was last written. */
	asOf?: string | undefined;
	/** Receives the completed fraction, 0 to 1, and the number of lines read. */
	onProgress?: (fraction: number, lines: number) => void;
}

/** The share of an import's duration at the end of reading. */
const readShare = 0.7;

/**
 * Imports the DGFiP's list of active VAT numbers in constant memory, in one transaction. It replaces the numbers of an earlier file.
 * @throws BrokenFile when the file cannot be read, was cut or holds other data; nothing is changed then.
 */
export async function importVatNumbers(
	connection: pg.ClientConfig,
	file: string,
	{ asOf = getFileDay(file), onProgress = () => {} }: VatImportOptions = {},
): Promise<VatSummary> {
	const client = new Client({ application_name: "extrait-pro import", ...connection });
	await client.connect();
	try {
		await configureSession(client);
		await client.query("begin; set local synchronous_commit = on");
		const counts: VatFileCounts = { read: 0, unreadable: 0 };
		await copyIncoming(
			client,
			readVatFile(file, counts, (fraction) => onProgress(readShare * fraction, counts.read)),
		);
		const merged = await mergeIncoming(client, asOf, new Date());
		await client.query("commit");
		onProgress(1, counts.read);
		return { ...counts, ...merged, asOf };
	} finally {
		await client.end(); // rolls back an open transaction
	}
}
