import { isUtf8 } from "node:buffer";

/**
 * `no-object`: text between two commas that is no object or list. `outside`: text before or after the list. `cut-entry`, `cut-list`: the
 * file ends within an entry, or before its list does.
 */
export type ListFault = "too-long" | "not-utf8" | "no-object" | "outside" | "cut-entry" | "cut-list";

/** An entry before it is parsed, or why there is none. `line`: where it begins, from 1. */
export type ListPiece = { line: number; text: string; fault: null } | { line: number; text: null; fault: ListFault };

const quote = 0x22;
const backslash = 0x5c;
const newline = 0x0a;
const opensList = 0x5b;
const opensObject = 0x7b;
const closes = new Set(Buffer.from("}]"));
const comma = 0x2c;
/** With a byte order mark. */
const blanks = new Set(Buffer.from(" \t\r\n\ufeff"));

/**
 * Splits a file with one JSON list, or with an object that holds one (`{"total_count": 1, "results": […]}`), at the entries of the list, or a file of
 * objects one after another, in constant memory. Reads on after what is no entry. Yields the pieces of a chunk at once.
 * @param entryDepth 1 without a list, 2 in a list, 3 in an object with a list. @param maxBytes of an entry.
 */
export async function* splitList(
	chunks: AsyncIterable<Buffer>,
	{ entryDepth, maxBytes }: { entryDepth: 1 | 2 | 3; maxBytes: number },
): AsyncGenerator<ListPiece[]> {
	const opensFile = entryDepth === 2 ? opensList : opensObject;
	let depth = 0;
	let inText = false;
	let escaped = false;
	let ended = entryDepth === 1;
	let line = 1;
	let startLine = 1;
	let pending: Buffer[] = [];
	let length = 0;
	/** The entry is known to be: nothing of it is kept. */
	let isTooLong = false;
	/** One fault for all the text up to the next comma, or outside the list. */
	let isStray = false;
	for await (const chunk of chunks) {
		const pieces: ListPiece[] = [];
		const addFault = (fault: ListFault, at: number) => pieces.push({ line: at, text: null, fault });
		let from = 0;
		for (let at = 0; at < chunk.length; at++) {
			const byte = chunk[at] as number;
			if (byte === newline) line++;
			if (inText) {
				if (escaped) escaped = false;
				else if (byte === backslash) escaped = true;
				else if (byte === quote) inText = false;
			} else if (depth === 0 && entryDepth > 1) {
				if (byte === opensFile && !ended) depth++;
				else if (!isStray && !blanks.has(byte)) {
					isStray = true;
					addFault("outside", line);
				}
			} else if (byte === opensList || byte === opensObject) {
				depth++;
				if (depth !== entryDepth) continue;
				from = at;
				startLine = line;
				// no comma ends a fault there
				if (entryDepth === 1) isStray = false;
			} else if (closes.has(byte) && depth > 0) {
				depth--;
				ended = depth === 0;
				if (depth !== entryDepth - 1) continue;
				const rest = chunk.subarray(from, at + 1);
				const bytes = pending.length > 0 ? Buffer.concat([...pending, rest]) : rest;
				if (!isTooLong && bytes.length > maxBytes) addFault("too-long", startLine);
				else if (!isTooLong && !isUtf8(bytes)) addFault("not-utf8", startLine);
				else if (!isTooLong) pieces.push({ line: startLine, text: bytes.toString("utf8"), fault: null });
				pending = [];
				length = 0;
				isTooLong = false;
			} else {
				inText = byte === quote;
				if (depth !== entryDepth - 1) continue;
				if (byte === comma) isStray = false;
				else if (!isStray && !blanks.has(byte)) {
					isStray = true;
					addFault("no-object", line);
				}
			}
		}
		if (depth >= entryDepth) {
			length += chunk.length - from;
			if (!isTooLong && length > maxBytes) {
				addFault("too-long", startLine);
				isTooLong = true;
			}
			if (isTooLong) pending = [];
			else pending.push(chunk.subarray(from));
		}
		yield pieces;
	}
	if (ended && depth === 0) return;
	const isInEntry = depth >= entryDepth;
	yield [{ line: isInEntry ? startLine : line, text: null, fault: isInEntry ? "cut-entry" : "cut-list" }];
}
