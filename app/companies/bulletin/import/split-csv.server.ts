import { parseCsvRow } from "../../../../server/files/csv-row.ts";
import { decodePiece, maxRecordBytes, type Piece, tooLong } from "./split-lines.server.ts";

const quote = 0x22;
const newline = 0x0a;

/** A row; null where it cannot be read. */
export interface CsvPiece extends Piece {
	cells: string[] | null;
}

/**
 * Splits a CSV file (RFC 4180) at its rows, in constant memory. Line breaks within quotes belong to a cell. After a quote that is not closed,
 * only its line is lost: reading goes on in the next one. Each row has as many cells as the first.
 */
export async function* splitCsv(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<CsvPiece[]> {
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
		if (isTooLong) return { line, text: null, fault: tooLong, cells: null };
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
