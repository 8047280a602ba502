import { decodePiece, maxRecordBytes, type Piece, tooLong } from "./split-lines.server.ts";

const quote = 0x22;
const backslash = 0x5c;
const newline = 0x0a;
const opens = new Set(Buffer.from("{["));
const closes = new Set(Buffer.from("}]"));
const comma = 0x2c;
const blanks = new Set(Buffer.from(" \t\r\n"));

/**
 * Splits a file with one JSON list, or with an object that holds one (`{"total_count": 1, "results": […]}`), at the entries of the list, in
 * constant memory. What is between two commas and no object or list yields a piece with a fault. A file that ends before its list yields
 * a last piece that is cut.
 * @param entryDepth 2 in a list, 3 in an object with a list.
 */
export async function* splitList(chunks: AsyncIterable<Buffer>, entryDepth: 2 | 3): AsyncGenerator<Piece[]> {
	let depth = 0;
	let inText = false;
	let escaped = false;
	let ended = false;
	let line = 1;
	let startLine = 1;
	let pending: Buffer[] = [];
	let length = 0;
	let isStray = false;
	for await (const chunk of chunks) {
		const pieces: Piece[] = [];
		let from = 0;
		for (let at = 0; at < chunk.length && !ended; at++) {
			const byte = chunk[at] as number;
			if (byte === newline) line++;
			if (inText) {
				if (escaped) escaped = false;
				else if (byte === backslash) escaped = true;
				else if (byte === quote) inText = false;
			} else if (opens.has(byte)) {
				depth++;
				if (depth !== entryDepth) continue;
				from = at;
				startLine = line;
			} else if (closes.has(byte)) {
				depth--;
				ended = depth === 0;
				if (depth !== entryDepth - 1) continue;
				const rest = chunk.subarray(from, at + 1);
				const isTooLong = length + rest.length > maxRecordBytes;
				const bytes = pending.length > 0 ? Buffer.concat([...pending, rest]) : rest;
				pieces.push(isTooLong ? { line: startLine, text: null, fault: tooLong } : decodePiece(bytes, startLine));
				pending = [];
				length = 0;
			} else {
				inText = byte === quote;
				if (depth !== entryDepth - 1) continue;
				if (byte === comma) isStray = false;
				else if (!isStray && !blanks.has(byte)) {
					isStray = true;
					pieces.push({ line, text: null, fault: "no object" });
				}
			}
		}
		if (depth >= entryDepth) {
			length += chunk.length - from;
			if (length <= maxRecordBytes) pending.push(chunk.subarray(from));
			else pending = [];
		}
		yield pieces;
	}
	if (!ended) yield [{ line, text: null, fault: "the list does not end", cut: true }];
}
