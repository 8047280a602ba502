import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { pipeline, Readable } from "node:stream";
import { crc32, createGunzip } from "node:zlib";
import { parse } from "csv-parse/sync";
import yauzl from "yauzl";
import { toError } from "../../../server/types/errors.ts";
import { typedFromEntries } from "../../../server/types/objects.ts";

/** A file that is not what it should be: its message says which file, where in it and why. */
export class BrokenFile extends Error {
	constructor(file: string, where: string, why: string) {
		super(`${basename(file)} cannot be imported: ${where}${where && ", "}${why}`);
	}
}

/** A place in a file, once uncompressed, at which a row begins. */
export interface Place {
	byte: number;
	/** From 1. */
	line: number;
}

/** Rows that follow one another. */
export interface Block {
	/** Read once, one by one: what is made of a row is gone before the next, as the memory of thousands would have to be tidied up. */
	rows: Iterable<string[]>;
	/** Where the next block begins. */
	end: Place;
	/** How much of the file has been read, 0 to 1. */
	fraction: number;
}

export interface StockFile {
	/** Names of the columns, in the order of the file. */
	header: readonly string[];
	blocks: AsyncIterable<Block>;
}

const newline = 0x0a;
const quote = 0x22;
/** No row of INSEE's is a hundredth of that. */
const longestRow = 1 << 20;
const blockSize = 1 << 18;

/**
 * Opens a SIRENE stock file (.csv, .csv.gz, or a .zip with one .csv in it) and reads its rows block by block, in constant memory.
 * @param official INSEE's columns, in INSEE's order. More columns may stand anywhere: INSEE adds some from time to time.
 * @param from where to begin, as a block said it; the first row by default.
 * @throws BrokenFile, also while the blocks are read: not there, cut short, damaged, no UTF-8, no CSV, a column missing or out of place,
 * a row with too many or too few, a line that does not end.
 */
export async function openStockFile(file: string, official: readonly string[], from?: Place): Promise<StockFile> {
	const source = openBytes(file);
	let position: Place = { byte: 0, line: 1 };
	const pieces = wholeRows(file, source, () => position);
	const first = await pieces.next();
	const start = first.done ? Buffer.alloc(0) : first.value;
	const headerEnd = start.indexOf(newline) + 1 || start.length;
	const header = decode(file, start.subarray(0, headerEnd), 1)
		.trim() // the mark of the encoding goes, too
		.split(",")
		.map((name) => name.replace(/^"(.*)"$/, "$1"));
	checkHeader(file, header, official);

	async function* blocks(): AsyncGenerator<Block> {
		position = { byte: headerEnd, line: 2 };
		for (let piece = start.subarray(headerEnd); ; ) {
			const { byte, line } = position;
			const skipped = from && from.byte > byte ? Math.min(from.byte - byte, piece.length) : 0;
			const rest = piece.subarray(skipped);
			if (skipped > 0) position = { byte: byte + skipped, line: from?.line ?? line };
			if (rest.length > 0) {
				const lines = decode(file, rest, position.line).split("\n");
				if (lines.at(-1) === "") lines.pop();
				const rows = parseRows(file, lines, position.line, header.length);
				position = { byte: position.byte + rest.length, line: position.line + lines.length };
				yield { rows, end: position, fraction: source.fraction() };
			}
			const next = await pieces.next();
			if (next.done) return;
			piece = next.value;
		}
	}
	return { header, blocks: blocks() };
}

/** Where columns stand in the rows of a file; -1 where it has none. @param suffix INSEE's, of all the names. */
export function columnsOf<const Name extends string>(header: readonly string[], names: readonly Name[], suffix = ""): Record<Name, number> {
	return typedFromEntries(names.map((name) => [name, header.indexOf(name + suffix)] as const));
}

interface Bytes {
	stream: Readable;
	fraction(): number;
}

function openBytes(file: string): Bytes {
	let size = 1;
	try {
		size = Math.max(1, statSync(file).size);
	} catch {
		throw new BrokenFile(file, "", "there is no such file");
	}
	if (file.endsWith(".zip")) return openZip(file);
	const source = createReadStream(file, { highWaterMark: blockSize });
	const fraction = () => source.bytesRead / size;
	if (!file.endsWith(".gz")) return { stream: source, fraction };
	// an error anywhere on the way ends the stream, and is thrown where it is read
	return { stream: pipeline([source, createGunzip({ chunkSize: 1 << 18 })], () => {}) as unknown as Readable, fraction };
}

/** The one .csv of an archive; its checksum is compared, as the reader of archives does not. */
function openZip(file: string): Bytes {
	let read = 0;
	let size = 1;
	async function* bytes() {
		const archive = await yauzl.openPromise(file, { autoClose: false });
		try {
			const found: yauzl.Entry[] = [];
			for await (const entry of archive.eachEntry())
				if (/\.csv$/i.test(entry.fileName) && !/^__MACOSX\//.test(entry.fileName)) found.push(entry);
			const [entry] = found;
			if (!entry || found.length > 1) throw new Error(`it holds ${found.length} .csv files in place of one`);
			size = Math.max(1, entry.uncompressedSize);
			let checksum = 0;
			for await (const chunk of await archive.openReadStreamPromise(entry)) {
				checksum = crc32(chunk, checksum);
				read += chunk.length;
				yield chunk;
			}
			if (checksum !== entry.crc32) throw new Error("its checksum is wrong: it was damaged on the way");
		} finally {
			archive.close();
		}
	}
	return { stream: Readable.from(bytes(), { highWaterMark: 4 }), fraction: () => read / size };
}

/** Cuts the bytes after whole rows: a newline belongs to a row where a quote is open before it. */
async function* wholeRows(file: string, { stream }: Bytes, position: () => Place): AsyncGenerator<Buffer> {
	let waiting: Buffer[] = [];
	let length = 0;
	const cut = function* (last: boolean) {
		const all = waiting.length === 1 ? (waiting[0] as Buffer) : Buffer.concat(waiting);
		const end = last ? all.length : endOfLastRow(all);
		if (end === 0 && all.length > longestRow) {
			throw new BrokenFile(
				file,
				`line ${position().line}`,
				`it does not end within ${longestRow >> 20} MB: a line break is missing, or a quote is not closed`,
			);
		}
		waiting = end < all.length ? [all.subarray(end)] : [];
		length = all.length - end;
		if (end > 0) yield all.subarray(0, end);
	};
	try {
		for await (const chunk of stream) {
			waiting.push(chunk);
			length += chunk.length;
			if (length >= blockSize) yield* cut(false);
		}
	} catch (error) {
		if (error instanceof BrokenFile) throw error;
		throw new BrokenFile(file, `after line ${position().line - 1}`, toError(error).message);
	}
	if (length > 0) yield* cut(true);
}

/** The end of the last row that is whole; 0 for none. */
function endOfLastRow(bytes: Buffer): number {
	let quotes = 0;
	for (let at = bytes.indexOf(quote); at !== -1; at = bytes.indexOf(quote, at + 1)) quotes++;
	let end = bytes.length;
	for (;;) {
		const at = end === 0 ? -1 : bytes.lastIndexOf(newline, end - 1);
		if (at === -1) return 0;
		for (let place = bytes.lastIndexOf(quote, end - 1); place > at; place = place === 0 ? -1 : bytes.lastIndexOf(quote, place - 1))
			quotes--;
		if (quotes % 2 === 0) return at + 1;
		end = at;
	}
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(file: string, bytes: Buffer, line: number): string {
	try {
		return utf8.decode(bytes);
	} catch {
		for (let start = 0, at = line; start < bytes.length; at++) {
			const end = bytes.indexOf(newline, start) + 1 || bytes.length;
			if (!isUtf8(bytes.subarray(start, end))) throw new BrokenFile(file, `line ${at}`, "its letters are not UTF-8");
			start = end;
		}
		throw new BrokenFile(file, `line ${line}`, "its letters are not UTF-8");
	}
}

function isUtf8(bytes: Buffer): boolean {
	try {
		utf8.decode(bytes);
		return true;
	} catch {
		return false;
	}
}

function checkHeader(file: string, header: readonly string[], official: readonly string[]): void {
	if (header.length === 1 && header[0] === "") throw new BrokenFile(file, "", "it is empty");
	const missing = official.filter((name) => !header.includes(name));
	if (missing.length > 0) throw new BrokenFile(file, "line 1", `it has no column ${missing.join(", ")}`);
	const there = header.filter((name) => official.includes(name));
	const misplaced = there.findIndex((name, index) => name !== official[index]);
	if (misplaced !== -1) {
		throw new BrokenFile(
			file,
			"line 1",
			`its columns are not in INSEE's order: ${there[misplaced]} stands where ${official[misplaced]} should`,
		);
	}
}

/** Splits whole rows into cells. Lines without a quote need no more than that; the others go through the CSV library. */
function* parseRows(file: string, lines: readonly string[], firstLine: number, width: number): Generator<string[]> {
	for (let at = 0; at < lines.length; at++) {
		const line = firstLine + at;
		let row = lines[at] as string;
		if (row.endsWith("\r")) row = row.slice(0, -1);
		if (row === "") continue;
		let cells: string[];
		if (row.includes('"')) {
			while (hasOpenQuote(row) && at + 1 < lines.length) row += `\n${lines[++at]}`;
			cells = parseQuoted(file, row, line);
		} else cells = row.split(",");
		if (cells.length !== width) throw new BrokenFile(file, `line ${line}`, `it has ${cells.length} columns in place of ${width}`);
		yield cells;
	}
}

function hasOpenQuote(row: string): boolean {
	return row.split('"').length % 2 === 0;
}

function parseQuoted(file: string, row: string, line: number): string[] {
	try {
		return parse(row)[0] ?? [];
	} catch (error) {
		throw new BrokenFile(file, `line ${line}`, toError(error).message.replace(/ at line \d+|, on line \d+/g, ""));
	}
}
