import { createReadStream } from "node:fs";
import { getErrorCode, toError } from "../../../server/types/errors.ts";
import { BrokenFile } from "../sirene/stock-file.server.ts";

export interface Entry {
	value: unknown;
	/** « entry 3 (line 120) », for a message. */
	where: string;
}

/** More than a thousand times the size of a company's entry. */
const maxEntryBytes = 64 << 20;
const quote = 0x22;
const backslash = 0x5c;
const newline = 0x0a;
const opensList = 0x5b;
const opensObject = 0x7b;
const closing = new Set(Buffer.from("}]"));
const between = new Set(Buffer.from(" \t\r\n,\ufeff"));

/**
 * Reads a .json file with one list of objects, entry by entry, in constant memory.
 * @throws BrokenFile when the file is missing, truncated, not UTF-8, not JSON or not a list of objects.
 */
export async function* readEntries(file: string): AsyncGenerator<Entry> {
	const utf8 = new TextDecoder("utf-8", { fatal: true });
	/** 0 before and after the list, 1 between its entries, more within one. */
	let depth = 0;
	let ended = false;
	let inText = false;
	let escaped = false;
	let line = 1;
	let startLine = 1;
	let number = 0;
	let pieces: Buffer[] = [];
	let length = 0;
	const where = () => `entry ${number} (line ${startLine})`;

	for await (const chunk of openBytes(file)) {
		let from = 0;
		for (let at = 0; at < chunk.length; at++) {
			const byte = chunk[at] as number;
			if (byte === newline) line++;
			if (inText) {
				if (escaped) escaped = false;
				else if (byte === backslash) escaped = true;
				else if (byte === quote) inText = false;
			} else if ((byte === opensList && !ended) || (byte === opensObject && depth > 0)) {
				depth++;
				if (depth === 2) {
					from = at;
					startLine = line;
					number++;
				}
			} else if (closing.has(byte) && depth > 0) {
				depth--;
				ended = depth === 0;
				if (depth !== 1) continue;
				const text = decode(Buffer.concat([...pieces, chunk.subarray(from, at + 1)]));
				pieces = [];
				length = 0;
				yield { value: parse(text), where: where() };
			} else if (depth > 1) {
				inText = byte === quote;
			} else if (!between.has(byte)) {
				throw new BrokenFile(file, `line ${line}`, "it is no list of objects: [{…}, {…}]");
			}
		}
		if (depth > 1) {
			pieces.push(chunk.subarray(from));
			length += chunk.length - from;
			if (length > maxEntryBytes) throw new BrokenFile(file, where(), `it does not end within ${maxEntryBytes >> 20} MB`);
		}
	}
	if (!ended) throw new BrokenFile(file, depth > 1 ? where() : `line ${line}`, "it ends before its list does: it was cut short");

	function decode(bytes: Buffer): string {
		try {
			return utf8.decode(bytes);
		} catch {
			throw new BrokenFile(file, where(), "it is not in UTF-8");
		}
	}

	function parse(text: string): unknown {
		try {
			return JSON.parse(text);
		} catch (error) {
			throw new BrokenFile(file, where(), `it is no JSON: ${toError(error).message}`);
		}
	}
}

async function* openBytes(file: string): AsyncGenerator<Buffer> {
	try {
		yield* createReadStream(file, { highWaterMark: 1 << 20 });
	} catch (error) {
		throw new BrokenFile(file, "", getErrorCode(error) === "ENOENT" ? "there is no such file" : toError(error).message);
	}
}
