import { BrokenFile } from "../../../../server/files/broken-file.ts";
import { parseCsvRow } from "../../../../server/files/csv-row.ts";
import { type FileRecord, isJson, peekStart, readJsonRecords, withoutMark } from "../../../../server/files/json-records.ts";
import { type FileBytes, openFile } from "../../../../server/files/open-file.server.ts";
import { decodePiece, describeTooLong, type Piece } from "../../../../server/files/split-lines.ts";
import { toError } from "../../../../server/types/errors.ts";

/** A thousand times the size of a notice. */
const maxRecordBytes = 4 << 20;

/** Opens a file, compressed or not. @throws BrokenFile when there is no such file. */
export function openExport(file: string): FileBytes {
	const bytes = openFile(file, "csv");
	return { ...bytes, chunks: nameFaults(bytes) };
}

async function* nameFaults({ name, chunks }: FileBytes): AsyncGenerator<Buffer> {
	try {
		yield* chunks;
	} catch (error) {
		const { message } = toError(error);
		const isCut = message === "unexpected end of file";
		throw new BrokenFile(name, "", isCut ? "it was cut short: the compressed data do not end." : `${message}.`);
	}
}

/**
 * Reads the records of an export of the bulletin: CSV with `;` or `,`, a JSON list, `{"results": […]}`, or JSON lines. The content tells which.
 * @param skip the number of records that are passed over.
 * @throws BrokenFile, also during iteration, for what is no such export, or ends too early.
 */
export async function* readRecords({ name, chunks }: Omit<FileBytes, "fraction">, skip = 0): AsyncGenerator<FileRecord[]> {
	const { start, rest } = await peekStart(chunks);
	if (start === "") throw new BrokenFile(name, "", "it is empty.", { isCut: true });
	if (start.startsWith("<")) throw new BrokenFile(name, "", "it is a web page, not an export of the bulletin.");
	const records = isJson(start) ? readJsonRecords(rest, start, maxRecordBytes) : readCsvRecords(name, start, rest);
	let read = 0;
	for await (const block of records) {
		const from = Math.min(block.length, Math.max(0, skip - read));
		read += block.length;
		const cut = block.find((record) => record.cut && record.value === null);
		if (cut) throw new BrokenFile(name, "", `it was cut short: it ends within line ${cut.line}.`, { isCut: true });
		yield block.slice(from);
	}
}

async function* readCsvRecords(name: string, start: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<FileRecord[]> {
	const [firstLine = ""] = start.split("\n");
	const delimiter = firstLine.split(";").length > firstLine.split(",").length ? ";" : ",";
	const { rows, parse } = await readHeader(name, splitCsv(withoutMark(chunks), delimiter));
	for await (const block of rows) yield block.map(parse);
}

const neededColumns = ["id", "dateparution", "familleavis", "registre", "listepersonnes"];

/** Reads the header of a CSV file. @returns the rows after it, and the function that names the cells of a row. */
async function readHeader(
	name: string,
	rows: AsyncGenerator<CsvPiece[]>,
): Promise<{ rows: AsyncGenerator<CsvPiece[]>; parse: (row: CsvPiece) => FileRecord }> {
	let first: CsvPiece[] = [];
	while (first.length === 0) {
		const next = await rows.next();
		if (next.done) break;
		first = next.value;
	}
	const header = (first[0]?.cells ?? []).map((cell) => cell.trim());
	const missing = neededColumns.filter((column) => !header.includes(column));
	if (missing.length > 0) throw new BrokenFile(name, "", `it is no export of the bulletin: it has no column ${missing.join(", ")}.`);
	async function* others() {
		yield first.slice(1);
		yield* rows;
	}
	const parse = ({ line, fault, cells, cut }: CsvPiece): FileRecord => {
		if (!cells) return { line, value: null, fault, ...(cut && { cut }) };
		return { line, value: Object.fromEntries(header.map((column, at) => [column, cells[at] || null])), fault: null };
	};
	return { rows: others(), parse };
}

const quote = 0x22;
const newline = 0x0a;

/** A row; null where it cannot be read. */
interface CsvPiece extends Piece {
	cells: string[] | null;
}

/**
 * Splits a CSV file (RFC 4180) at its rows, in constant memory. Line breaks within quotes belong to a cell. After a quote that is not closed,
 * only its line is lost: reading goes on in the next one. Each row has as many cells as the first.
 */
async function* splitCsv(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<CsvPiece[]> {
	let width = 0;
	let line = 1;
	let pending: Buffer = Buffer.alloc(0);

	function* cut(isEnd: boolean): Generator<CsvPiece> {
		let start = 0;
		while (start < pending.length) {
			const end = findRowEnd(pending, start);
			const isWhole = end !== -1;
			const isTooLong = (isWhole ? end : pending.length) - start > maxRecordBytes;
			if (!isWhole && !isEnd && !isTooLong) break;
			const row = pending.subarray(start, isWhole ? end : pending.length);
			const piece = readRow(row, isTooLong);
			if (piece.fault === null) {
				if (piece.text !== "") yield piece;
				line += countLines(row) + (isWhole ? 1 : 0);
				start += row.length + (isWhole ? 1 : 0);
				continue;
			}
			const lineEnd = pending.indexOf(newline, start);
			const isLast = isEnd && lineEnd === -1;
			// without a line break in sight, what is there of the line is dropped; the rest will be a broken line too
			yield isLast ? { ...piece, cut: true } : piece;
			line += lineEnd === -1 ? 0 : 1;
			start = lineEnd === -1 ? pending.length : lineEnd + 1;
		}
		pending = pending.subarray(start);
	}

	function readRow(row: Buffer, isTooLong: boolean): CsvPiece {
		if (isTooLong) return { line, text: null, fault: describeTooLong(maxRecordBytes), cells: null };
		const piece = decodePiece(row, line);
		const text = piece.text?.replace(/\r$/, "") ?? null;
		if (text === null || text === "") return { ...piece, text, cells: null };
		const cells = parseCsvRow(text, delimiter);
		if (width === 0) width = cells?.length ?? 0;
		const fault = cells === null ? "its quotes are in disorder" : `${cells.length} cells in place of ${width}`;
		return cells?.length === width ? { line, text, fault: null, cells } : { line, text, fault, cells: null };
	}

	for await (const chunk of chunks) {
		pending = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk;
		yield [...cut(false)];
	}
	yield [...cut(true)];
}

function findRowEnd(bytes: Buffer, start: number): number {
	let inQuotes = false;
	for (let at = start; at < bytes.length; at++) {
		const byte = bytes[at];
		if (byte === quote) inQuotes = !inQuotes;
		else if (byte === newline && !inQuotes) return at;
	}
	return -1;
}

function countLines(bytes: Buffer): number {
	let lines = 0;
	for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines++;
	return lines;
}
