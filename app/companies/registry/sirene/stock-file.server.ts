import { parse } from "csv-parse/sync";
import { BrokenFile } from "../../../../server/files/broken-file.ts";
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
	/** Can be iterated once. Rows are parsed one by one to save memory. */
	rows: Iterable<string[]>;
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
 * Opens a SIRENE stock file (.csv, .csv.gz, or a .zip with one .csv) and reads its rows block by block in constant memory.
 * @param official INSEE's columns in order. A file may have additional columns anywhere.
 * @param from the start, taken from a block; the default is the first row.
 * @throws BrokenFile, also during iteration: file missing, truncated or damaged, not UTF-8, not CSV, wrong columns, wrong number of cells,
 * or an endless line.
 */
export async function openStockFile(file: string, official: readonly string[], from?: Place): Promise<StockFile> {
	const source = openFile(file, "csv");
	let position: Place = { byte: 0, line: 1 };
	const pieces = splitAtRows(file, source, () => position);
	const first = await pieces.next();
	const start = first.done ? Buffer.alloc(0) : first.value;
	const headerEnd = start.indexOf(newline) + 1 || start.length;
	const header = decode(file, start.subarray(0, headerEnd), 1)
		.trim() // also removes a byte order mark
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
		const end = isEnd ? all.length : findEndOfLastRow(all);
		if (end === 0 && all.length > maxRowBytes) {
			throw new BrokenFile(
				file,
				`line ${position().line}`,
				`it does not end within ${maxRowBytes >> 20} MB: a line break is missing, or a quote is not closed`,
			);
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

/** Returns the end of the last complete row; 0 without one. */
function findEndOfLastRow(bytes: Buffer): number {
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
	const present = header.filter((name) => official.includes(name));
	const misplaced = present.findIndex((name, index) => name !== official[index]);
	if (misplaced !== -1) {
		throw new BrokenFile(
			file,
			"line 1",
			`its columns are not in INSEE's order: ${present[misplaced]} stands where ${official[misplaced]} should`,
		);
	}
}

/** Splits rows into cells. Only rows with quotes need the CSV library. */
function* parseRows(file: string, lines: readonly string[], firstLine: number, width: number): Generator<string[]> {
	for (let at = 0; at < lines.length; at++) {
		const line = firstLine + at;
		let row = lines[at] ?? "";
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
