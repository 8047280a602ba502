import { isUtf8 } from "node:buffer";
import { BrokenFile } from "../../../../server/files/broken-file.ts";
import { parseCsvRow } from "../../../../server/files/csv-row.ts";
import { type FileBytes, openFile } from "../../../../server/files/open-file.server.ts";
import { toError } from "../../../../server/types/errors.ts";
import { typedFromEntries } from "../../../../server/types/objects.ts";

/** The start of a row in an uncompressed file. */
export interface Place {
	byte: number;
	/** From 1. */
	line: number;
}

/** Consecutive rows. */
export interface Block {
	/** The cells of each row, or why it cannot be read. Can be iterated once: rows are parsed one by one to save memory. */
	rows: Iterable<string[] | string>;
	/** The line of the row that was read last. */
	place: { line: number };
	/** The start of the next block. */
	end: Place;
	/** The fraction of the file that has been read, 0 to 1. */
	fraction: number;
}

export interface StockFile {
	/** The names of the columns. */
	header: readonly string[];
	blocks: AsyncIterable<Block>;
}

const newline = 0x0a;
const quote = 0x22;
/** Bytes. INSEE's rows have less than a hundredth of this. */
const maxRowBytes = 1 << 20;
const blockSize = 1 << 18;

/**
 * Opens a SIRENE stock file (.csv, .csv.gz, or a .zip with one .csv) and reads its rows block by block in constant memory. A row that is not
 * UTF-8 or CSV, or has another number of cells than the header, is a fault, and reading goes on.
 * @param needed the columns that the file must have, in any order, with others or without.
 * @param from the start, taken from a block; the default is the first row.
 * @throws BrokenFile, also during iteration: file missing, truncated or damaged, a missing column, or an endless line.
 */
export async function openStockFile(file: string, needed: readonly string[], from?: Place): Promise<StockFile> {
	const source = openFile(file, "csv");
	let position: Place = { byte: 0, line: 1 };
	const pieces = splitAtRows(file, source, () => position);
	const first = await pieces.next();
	const start = first.done ? Buffer.alloc(0) : first.value;
	const headerEnd = start.indexOf(newline) + 1 || start.length;
	const header = (decodeLines(start.subarray(0, headerEnd))[0] ?? "")
		.trim() // also removes a byte order mark
		.split(",")
		.map((name) => name.replace(/^"(.*)"$/, "$1"));
	checkHeader(file, header, needed);

	async function* blocks(): AsyncGenerator<Block> {
		position = { byte: headerEnd, line: 2 };
		for (let piece = start.subarray(headerEnd); ; ) {
			const { byte, line } = position;
			const skipped = from && from.byte > byte ? Math.min(from.byte - byte, piece.length) : 0;
			const rest = piece.subarray(skipped);
			if (skipped > 0) position = { byte: byte + skipped, line: from?.line ?? line };
			if (rest.length > 0) {
				const lines = decodeLines(rest);
				const isWhole = rest.at(-1) === newline;
				if (isWhole) lines.pop();
				const place = { line: position.line };
				const rows = parseRows(file, lines, { place, width: header.length, isWhole });
				position = { byte: position.byte + rest.length, line: position.line + lines.length };
				yield { rows, place, end: position, fraction: source.fraction() };
			}
			const next = await pieces.next();
			if (next.done) return;
			piece = next.value;
		}
	}
	return { header, blocks: blocks() };
}

/** Returns the index of each column; -1 for a missing one. @param suffix is appended to each name. */
export function findColumns<const Name extends string>(
	header: readonly string[],
	names: readonly Name[],
	suffix = "",
): Record<Name, number> {
	return typedFromEntries(names.map((name) => [name, header.indexOf(name + suffix)] as const));
}

/** Splits the bytes at the ends of rows. A newline inside quotes belongs to the row. */
async function* splitAtRows(file: string, { chunks }: FileBytes, position: () => Place): AsyncGenerator<Buffer> {
	let pending: Buffer[] = [];
	let length = 0;
	const cut = function* (isEnd: boolean) {
		const all = (pending.length === 1 ? pending[0] : undefined) ?? Buffer.concat(pending);
		let end = isEnd ? all.length : findEndOfLastRow(all);
		// a quote that is not closed: the row where it stands is a fault
		if (end === 0 && all.length > maxRowBytes) end = all.lastIndexOf(newline) + 1;
		if (end === 0 && all.length > maxRowBytes) {
			throw new BrokenFile(file, `line ${position().line}`, `it does not end within ${maxRowBytes >> 20} MB: a line break is missing`);
		}
		pending = end < all.length ? [all.subarray(end)] : [];
		length = all.length - end;
		if (end > 0) yield all.subarray(0, end);
	};
	try {
		for await (const chunk of chunks) {
			pending.push(chunk);
			length += chunk.length;
			if (length >= blockSize) yield* cut(false);
		}
	} catch (error) {
		if (error instanceof BrokenFile) throw error;
		throw new BrokenFile(file, `after line ${position().line - 1}`, toError(error).message);
	}
	if (length > 0) yield* cut(true);
}

/** Returns the end of the last complete row, after which no quote is open; 0 without one. */
function findEndOfLastRow(bytes: Buffer): number {
	const quotes: number[] = [];
	for (let at = bytes.indexOf(quote); at !== -1; at = bytes.indexOf(quote, at + 1)) quotes.push(at);
	for (let end = bytes.length; end > 0; ) {
		const at = bytes.lastIndexOf(newline, end - 1);
		while ((quotes.at(-1) ?? -1) > at) quotes.pop();
		if (quotes.length % 2 === 0) return at + 1;
		// all line breaks after the open quote are within it
		end = quotes.at(-1) ?? 0;
	}
	return 0;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Splits bytes into lines; null for one that is not UTF-8. */
function decodeLines(bytes: Buffer): (string | null)[] {
	try {
		return utf8.decode(bytes).split("\n");
	} catch {
		const lines: (string | null)[] = [];
		for (let start = 0; start <= bytes.length; ) {
			const end = bytes.indexOf(newline, start);
			const line = bytes.subarray(start, end === -1 ? bytes.length : end);
			lines.push(isUtf8(line) ? line.toString("utf8") : null);
			start = end === -1 ? bytes.length + 1 : end + 1;
		}
		return lines;
	}
}

function checkHeader(file: string, header: readonly string[], needed: readonly string[]): void {
	const [first = ""] = header;
	if (header.length === 1 && first === "") throw new BrokenFile(file, "", "it is empty");
	if (first.startsWith("<")) throw new BrokenFile(file, "", "it is a web page");
	const missing = needed.filter((name) => !header.includes(name));
	if (missing.length > 0) throw new BrokenFile(file, "line 1", `it has no column ${missing.join(", ")}`);
}

/** The lines that a row may have. INSEE's have one. */
const maxRowLines = 20;

/**
 * Splits rows into cells. After a quote that is not closed, reading goes on in the next line.
 * @param isWhole whether the last line has its line break. @throws BrokenFile when the last line has none and is no row: the file was cut.
 */
function* parseRows(
	file: string,
	lines: readonly (string | null)[],
	{ place, width, isWhole }: { place: Block["place"]; width: number; isWhole: boolean },
): Generator<string[] | string> {
	const firstLine = place.line;
	for (let at = 0; at < lines.length; at++) {
		const row = lines[at] ?? null;
		if (row === "" || row === "\r") continue;
		place.line = firstLine + at;
		const count = row?.includes('"') ? countLines(lines, at) : 1;
		const cells = row === null ? null : parseCsvRow(count === 1 ? row : lines.slice(at, at + count).join("\n"), ",");
		if (cells?.length === width) {
			at += count - 1;
			yield cells;
			continue;
		}
		const fault =
			row === null
				? "its letters are not UTF-8"
				: cells
					? `it has ${cells.length} columns in place of ${width}`
					: "its quotes are in disorder";
		if (!isWhole && at === lines.length - 1) throw new BrokenFile(file, `line ${place.line}`, fault);
		yield fault;
	}
}

/** The number of lines of a row that begins with a quote open or closed; 1 where it stays open. */
function countLines(lines: readonly (string | null)[], from: number): number {
	let isOpen = false;
	for (let count = 1; count <= maxRowLines; count++) {
		const line = lines[from + count - 1];
		if (line === null || line === undefined) return 1;
		if (hasOpenQuote(line)) isOpen = !isOpen;
		if (!isOpen) return count;
	}
	return 1;
}

function hasOpenQuote(row: string): boolean {
	return row.split('"').length % 2 === 0;
}
