import { createReadStream, statSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { BrokenFile } from "../../../../server/files/broken-file.ts";
import { parseCsvRow } from "../../../../server/files/csv-row.ts";
import { type ListFault, splitList } from "../../../../server/files/split-list.ts";
import { toError } from "../../../../server/types/errors.ts";
import { isJsonObject, type JsonObject } from "./records.ts";
import { decodePiece, maxRecordBytes, type Piece, splitLines, tooLong } from "./split-lines.server.ts";

/** A record of an export, or why it is none. */
export interface ExportRecord {
	/** Where it begins, from 1. */
	line: number;
	value: JsonObject | null;
	fault: string | null;
}

export interface Bytes {
	/** The name of the file, for messages. */
	name: string;
	chunks: AsyncIterable<Buffer>;
	/** The fraction that has been read, 0 to 1. */
	fraction(): number;
}

const blockSize = 1 << 18;
/** Bytes that tell the format. */
const headLength = 1 << 12;

/** Opens a file, compressed or not: its first bytes tell. @throws BrokenFile when there is no such file. */
export function openExport(file: string): Bytes {
	const stat = statSync(file, { throwIfNoEntry: false });
	if (!stat?.isFile()) throw new BrokenFile(file, "", "there is no such file.");
	const source = createReadStream(file, { highWaterMark: blockSize });
	return { name: file, chunks: gunzipIfNeeded(file, source), fraction: () => source.bytesRead / stat.size };
}

async function* gunzipIfNeeded(file: string, source: Readable): AsyncGenerator<Buffer> {
	try {
		const { head, rest } = await peek(source, 2);
		if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* rest;
		const gunzip = createGunzip({ chunkSize: blockSize });
		// an error in the pipeline is thrown where the stream is read
		yield* pipeline(Readable.from(rest, { highWaterMark: 2 }), gunzip, () => {});
	} catch (error) {
		if (error instanceof BrokenFile) throw error;
		const { message } = toError(error);
		throw new BrokenFile(
			file,
			"",
			message === "unexpected end of file" ? "it was cut short: the compressed data do not end." : `${message}.`,
		);
	}
}

/**
 * Reads the records of an export of the bulletin: CSV with `;` or `,`, a JSON list, `{"results": […]}`, or JSON lines. The content tells which.
 * @param skip the number of records that are passed over unread.
 * @throws BrokenFile, also during iteration, for what is no such export, or ends too early.
 */
export async function* readRecords({ name, chunks }: Omit<Bytes, "fraction">, skip = 0): AsyncGenerator<ExportRecord[]> {
	const { head, rest } = await peek(chunks, headLength);
	const start = head
		.toString("latin1")
		.replace(/^\u00ef\u00bb\u00bf/, "")
		.trimStart();
	const read = <Each extends Piece>(pieces: AsyncGenerator<Each[]>, parse: (piece: Each) => ExportRecord) =>
		parsePieces(pieces, parse, { name, skip });
	if (start === "") throw new BrokenFile(name, "", "it is empty.", { isCut: true });
	if (start.startsWith("<")) throw new BrokenFile(name, "", "it is a web page, not an export of the bulletin.");
	if (start.startsWith("[")) yield* read(readList(rest, 2), parseJson);
	else if (/^\{\s*"(?:total_count|results)"/.test(start)) yield* read(readList(rest, 3), parseJson);
	else if (start.startsWith("{")) yield* read(splitLines(withoutMark(rest)), parseJson);
	else {
		const [firstLine = ""] = start.split("\n");
		const delimiter = firstLine.split(";").length > firstLine.split(",").length ? ";" : ",";
		const { rows, parse } = await readHeader(name, splitCsv(withoutMark(rest), delimiter));
		yield* read(rows, parse);
	}
}

async function* parsePieces<Each extends Piece>(
	pieces: AsyncGenerator<Each[]>,
	parse: (piece: Each) => ExportRecord,
	{ name, skip }: { name: string; skip: number },
): AsyncGenerator<ExportRecord[]> {
	let read = 0;
	for await (const block of pieces) {
		const from = Math.min(block.length, Math.max(0, skip - read));
		read += block.length;
		yield block.slice(from).map((piece) => {
			const record = parse(piece);
			if (piece.cut && record.value === null)
				throw new BrokenFile(name, "", `it was cut short: it ends within line ${piece.line}.`, { isCut: true });
			return record;
		});
	}
}

const listFaults: Record<ListFault, string> = {
	"too-long": tooLong,
	"not-utf8": "not UTF-8",
	"no-object": "no object",
	outside: "text outside the list",
	"cut-entry": "the list does not end",
	"cut-list": "the list does not end",
};

async function* readList(chunks: AsyncIterable<Buffer>, entryDepth: 2 | 3): AsyncGenerator<Piece[]> {
	for await (const block of splitList(chunks, { entryDepth, maxBytes: maxRecordBytes }))
		yield block.map(({ line, text, fault }) => {
			if (fault === null) return { line, text, fault };
			return { line, text, fault: listFaults[fault], ...((fault === "cut-entry" || fault === "cut-list") && { cut: true }) };
		});
}

function parseJson({ line, text, fault }: Piece): ExportRecord {
	if (text === null) return { line, value: null, fault };
	try {
		const value: unknown = JSON.parse(text);
		return isJsonObject(value) ? { line, value, fault: null } : { line, value: null, fault: "no object" };
	} catch {
		return { line, value: null, fault: "no JSON" };
	}
}

const neededColumns = ["id", "dateparution", "familleavis", "registre", "listepersonnes"];

/** Reads the header of a CSV file. @returns the rows after it, and the function that names the cells of a row. */
async function readHeader(
	name: string,
	rows: AsyncGenerator<CsvPiece[]>,
): Promise<{ rows: AsyncGenerator<CsvPiece[]>; parse: (row: CsvPiece) => ExportRecord }> {
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
	const parse = ({ line, fault, cells }: CsvPiece): ExportRecord => {
		if (!cells) return { line, value: null, fault };
		return { line, value: Object.fromEntries(header.map((column, at) => [column, cells[at] || null])), fault: null };
	};
	return { rows: others(), parse };
}

/** Reads the first bytes. @returns them, and all bytes from the start. */
async function peek(chunks: AsyncIterable<Buffer>, length: number): Promise<{ head: Buffer; rest: AsyncGenerator<Buffer> }> {
	const iterator = chunks[Symbol.asyncIterator]();
	const first: Buffer[] = [];
	for (let known = 0; known < length; ) {
		const { value, done } = await iterator.next();
		if (done) break;
		first.push(value);
		known += value.length;
	}
	async function* rest() {
		try {
			yield* first;
			for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
		} finally {
			await iterator.return?.(); // closes the file
		}
	}
	return { head: Buffer.concat(first).subarray(0, length), rest: rest() };
}

/** Removes a byte order mark. */
async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
	let isFirst = true;
	for await (const chunk of chunks) {
		yield isFirst && chunk[0] === 0xef && chunk[1] === 0xbb ? chunk.subarray(3) : chunk;
		isFirst = false;
	}
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
