import type { Readable } from "node:stream";
import { readLine } from "../../../ui/forms/text.ts";

/** In bytes, unpacked. A thousand rows have less than one. */
const maxUnpacked = 16 * 1024 * 1024;

export type WorkbookOutcome =
	/** The rows of each sheet. */
	| { ok: true; sheets: string[][][] }
	/** `spreadsheet`: no .xlsx. */
	| { ok: false; code: "spreadsheet" | "too-large" };

/** Reads the cells of an .xlsx workbook (ECMA-376) as texts. @param bytes of a ZIP archive. */
export async function readWorkbook(bytes: Uint8Array): Promise<WorkbookOutcome> {
	try {
		if (!(await isSmall(bytes))) return { ok: false, code: "too-large" };
		const { default: readSheets } = await import("read-excel-file/universal");
		const sheets = await readSheets(new Blob([new Uint8Array(bytes)]));
		return { ok: true, sheets: sheets.map(({ data }) => data.map((row) => row.map(toText))) };
	} catch {
		return { ok: false, code: "spreadsheet" };
	}
}

/** Unpacks an archive to count: what it says of its sizes may be wrong. @throws for a broken one. */
async function isSmall(bytes: Uint8Array): Promise<boolean> {
	const { fromBufferPromise } = await import("yauzl");
	const archive = await fromBufferPromise(Buffer.from(bytes));
	let unpacked = 0;
	for await (const entry of archive.eachEntry()) {
		unpacked += entry.uncompressedSize;
		if (unpacked > maxUnpacked) return false;
		for await (const _ of (await archive.openReadStreamPromise(entry)) as Readable);
	}
	return true;
}

/** A date has the day that the sheet shows, as an export writes it. */
const toText = (cell: unknown): string =>
	readLine(cell instanceof Date ? cell.toISOString().slice(0, 10).split("-").toReversed().join("/") : cell === null ? "" : String(cell));
