import { describeTooLong, type Piece, splitLines } from "./split-lines.ts";
import { type ListFault, splitList } from "./split-list.ts";

/** An object or a part of it; its values may be of any type. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

/** A record of a file, or why it is none. */
export interface FileRecord {
	/** Where it begins, from 1. */
	line: number;
	value: JsonObject | null;
	fault: string | null;
	/** Whether the file ends before the record does. */
	cut?: true;
}

/** The first keys of an object that holds a list, as APIs write them. */
const wrapper = /^\{\s*"(?:total_count|total|count|results|data|items|companies|formalities|records)"\s*:/;

/** The first line of an object over several lines, as jq and other tools write them, one after another or alone. */
const opensLines = /^\{\s*?[\r\n]/;

/** Whether a file that begins so holds JSON. */
export const isJson = (start: string): boolean => /^[[{]/.test(start);

/**
 * Reads the objects of a JSON list, of a list in an object (`{"results": […]}`), of JSON lines, or one after another over several lines each, in
 * constant memory. What is no object is a fault, and reading goes on.
 * @param start the first characters of the file, without byte order mark and blanks. @param maxBytes of a record.
 */
export async function* readJsonRecords(chunks: AsyncIterable<Buffer>, start: string, maxBytes: number): AsyncGenerator<FileRecord[]> {
	if (start.startsWith("[")) yield* readList(chunks, 2, maxBytes);
	else if (wrapper.test(start)) yield* readList(chunks, 3, maxBytes);
	else if (opensLines.test(start)) yield* readList(chunks, 1, maxBytes);
	else for await (const block of splitLines(withoutMark(chunks), maxBytes)) yield block.map(parsePiece);
}

const listFaults: Record<Exclude<ListFault, "too-long">, string> = {
	"not-utf8": "not UTF-8",
	"no-object": "no object",
	outside: "text outside the list",
	"cut-entry": "the list does not end",
	"cut-list": "the list does not end",
};

async function* readList(chunks: AsyncIterable<Buffer>, entryDepth: 1 | 2 | 3, maxBytes: number): AsyncGenerator<FileRecord[]> {
	for await (const block of splitList(chunks, { entryDepth, maxBytes }))
		yield block.map(({ line, text, fault }) => {
			if (fault === null) return parsePiece({ line, text, fault });
			const reason = fault === "too-long" ? describeTooLong(maxBytes) : listFaults[fault];
			return { line, value: null, fault: reason, ...((fault === "cut-entry" || fault === "cut-list") && { cut: true }) };
		});
}

function parsePiece({ line, text, fault, cut }: Piece): FileRecord {
	const isCut = cut ? { cut } : {};
	if (text === null) return { line, value: null, fault, ...isCut };
	try {
		const value: unknown = JSON.parse(text);
		return isJsonObject(value) ? { line, value, fault: null } : { line, value: null, fault: "no object", ...isCut };
	} catch {
		// the message of the parser would quote the text
		return { line, value: null, fault: "no JSON", ...isCut };
	}
}

/** Bytes that tell the format. */
const startLength = 1 << 12;

/** Reads the first characters, without byte order mark and blanks, as Latin-1. @returns them, and all bytes from the start. */
export async function peekStart(chunks: AsyncIterable<Buffer>): Promise<{ start: string; rest: AsyncGenerator<Buffer> }> {
	const iterator = chunks[Symbol.asyncIterator]();
	const first: Buffer[] = [];
	for (let known = 0; known < startLength; ) {
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
	const start = Buffer.concat(first)
		.toString("latin1", 0, startLength)
		.replace(/^\u00ef\u00bb\u00bf/, "")
		.trimStart();
	return { start, rest: rest() };
}

/** Removes a byte order mark. */
export async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
	let isFirst = true;
	for await (const chunk of chunks) {
		yield isFirst && chunk[0] === 0xef && chunk[1] === 0xbb ? chunk.subarray(3) : chunk;
		isFirst = false;
	}
}
