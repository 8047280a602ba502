import { isUtf8 } from "node:buffer";

/** A record before it is parsed, or why it cannot be. */
export interface Piece {
	/** Where it begins, from 1. */
	line: number;
	text: string | null;
	fault: string | null;
	/** Whether the file ends before the record does. */
	cut?: true;
}

const newline = 0x0a;
/** Longer lines are not examined for being blank; they would be broken ones. */
const maxBlankLength = 100;

export function decodePiece(bytes: Buffer, line: number): Piece {
	return isUtf8(bytes) ? { line, text: bytes.toString("utf8"), fault: null } : { line, text: null, fault: "not UTF-8" };
}

export const describeTooLong = (maxBytes: number): string => `longer than ${maxBytes >> 20} MB`;

/**
 * Splits the bytes of a file at its line breaks, in constant memory. Yields the lines of a chunk at once; empty ones are left out.
 * @param maxBytes of a line.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Piece[]> {
	let pending: Buffer[] = [];
	let length = 0;
	let line = 1;
	const close = (rest: Buffer): Piece | null => {
		const bytes = pending.length > 0 ? Buffer.concat([...pending, rest]) : rest;
		const piece = length + rest.length > maxBytes ? { line, text: null, fault: describeTooLong(maxBytes) } : decodePiece(bytes, line);
		pending = [];
		length = 0;
		return piece.text === null || piece.text.length > maxBlankLength || piece.text.trim() !== "" ? piece : null;
	};
	for await (const chunk of chunks) {
		const pieces: Piece[] = [];
		let start = 0;
		for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
			const piece = close(chunk.subarray(start, end));
			if (piece) pieces.push(piece);
			line++;
			start = end + 1;
		}
		length += chunk.length - start;
		// of a line that is too long, only its length is kept
		if (length <= maxBytes) pending.push(chunk.subarray(start));
		else pending = [];
		yield pieces;
	}
	const last = close(Buffer.alloc(0));
	if (last) yield [{ ...last, cut: true }];
}
