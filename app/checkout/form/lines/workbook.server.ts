import { text } from "node:stream/consumers";
import { readLine } from "../../../ui/forms/text.ts";

/** In bytes, unpacked. A thousand rows have less than one. */
const maxUnpacked = 16 * 1024 * 1024;

/** In cells. The library makes the empty ones too, up to the last row and column. */
const maxCells = 500_000;

export type WorkbookOutcome =
	/** The rows of each sheet that are not empty. */
	| { ok: true; sheets: string[][][] }
	/** `spreadsheet`: no .xlsx, or one with cells far away from the others. */
	| { ok: false; code: "spreadsheet" | "too-large" };

/** Reads the cells of an .xlsx workbook (ECMA-376) as texts. @param bytes of a ZIP archive. */
export async function readWorkbook(bytes: Uint8Array): Promise<WorkbookOutcome> {
	try {
		const parts = await unpack(bytes);
		if (parts === null) return { ok: false, code: "too-large" };
		if (parts.map(countCells).reduce((sum, count) => sum + count, 0) > maxCells) return { ok: false, code: "spreadsheet" };
		const { default: readSheets } = await import("read-excel-file/universal");
		const sheets = await readSheets(new Blob([new Uint8Array(bytes)]));
		return {
			ok: true,
			sheets: sheets.map(({ data }) => data.map((row) => row.map(toText)).filter((row) => row.some((cell) => cell !== ""))),
		};
	} catch {
		return { ok: false, code: "spreadsheet" };
	}
}

/**
 * Unpacks an archive, because what it says of its sizes may be wrong.
 * @returns its parts; null if they are too large. @throws for a broken one.
 */
async function unpack(bytes: Uint8Array): Promise<string[] | null> {
	const { fromBufferPromise } = await import("yauzl");
	const archive = await fromBufferPromise(Buffer.from(bytes));
	const parts: string[] = [];
	let unpacked = 0;
	for await (const entry of archive.eachEntry()) {
		unpacked += entry.uncompressedSize;
		if (unpacked > maxUnpacked) return null;
		parts.push(await text(await archive.openReadStreamPromise(entry)));
	}
	return parts;
}

/** The places of a sheet's rows and cells: « r="12" », « r="XFD1048576" ». */
const places = /\br\s*=\s*["']([^"']*)["']/g;

/** Counts the cells of a sheet up to its last row and column; none for other parts. A place that is written otherwise is no place of Excel's. */
function countCells(part: string): number {
	if (!part.includes("sheetData")) return 0;
	let [rows, columns] = [0, 0];
	for (const [, place = ""] of part.matchAll(places)) {
		const [, letters = "", row = ""] = /^([A-Z]{0,3})(\d{1,7})$/.exec(place) ?? [];
		if (row === "") return Number.POSITIVE_INFINITY;
		rows = Math.max(rows, Number(row));
		columns = Math.max(
			columns,
			[...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0),
		);
	}
	return rows * columns;
}

/** A date has the day that the sheet shows, as an export writes it. */
const toText = (cell: unknown): string =>
	readLine(cell instanceof Date ? cell.toISOString().slice(0, 10).split("-").toReversed().join("/") : cell === null ? "" : String(cell));
