import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { type Parser, parse } from "csv-parse";
import type { ReadColumn } from "./head-office-address.ts";

/**
 * Reads the rows of a SIRENE stock file (.csv or .csv.gz) one by one, in constant memory.
 * @param required columns without which it is another file.
 * @param onBytes told how many bytes of the file have been read so far.
 * @yields a reader of the columns of one row, good until the next row only.
 * @throws Error when the file is not there, is cut short, is no CSV or lacks a column: its message names file and reason.
 */
export async function* readStockFile(
	file: string,
	required: readonly string[],
	onBytes: (bytes: number) => void,
): AsyncGenerator<ReadColumn> {
	const source = createReadStream(file, { highWaterMark: 1 << 20 });
	// an error anywhere on the way ends the records, and is thrown below
	const records = pipeline([source, ...(file.endsWith(".gz") ? [createGunzip()] : []), parse({ bom: true })], () => {}) as Parser;
	let columns: Map<string, number> | undefined;
	let record: string[] = [];
	const read: ReadColumn = (name) => record[columns?.get(name) ?? -1] ?? "";
	try {
		for await (record of records) {
			if (columns) {
				onBytes(source.bytesRead);
				yield read;
				continue;
			}
			const header = new Map(record.map((name, index) => [name, index]));
			const missing = required.filter((name) => !header.has(name));
			if (missing.length > 0) throw new Error(`it has no column ${missing.join(", ")}`);
			columns = header;
		}
		if (!columns) throw new Error("it is empty");
	} catch (error) {
		throw new Error(`${basename(file)} cannot be imported: ${(error as Error).message}`, { cause: error });
	}
}
