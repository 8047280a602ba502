import { createReadStream } from "node:fs";
import { BrokenFile } from "../../../../server/files/broken-file.ts";
import { type ListFault, splitList } from "../../../../server/files/split-list.ts";
import { getErrorCode, toError } from "../../../../server/types/errors.ts";

export interface Entry {
	value: unknown;
	/** « entry 3 (line 120) », for a message. */
	where: string;
}

/** More than a thousand times the size of a company's entry. */
const maxBytes = 64 << 20;

const noList = "it is no list of objects: [{…}, {…}]";
const wasCut = "it ends before its list does: it was cut short";
const reasons: Record<ListFault, string> = {
	"too-long": `it does not end within ${maxBytes >> 20} MB`,
	"not-utf8": "it is not in UTF-8",
	"no-object": noList,
	outside: noList,
	"cut-entry": wasCut,
	"cut-list": wasCut,
};
const isBetweenEntries = (fault: ListFault) => fault === "no-object" || fault === "outside" || fault === "cut-list";

/**
 * Reads a .json file with one list of objects, entry by entry, in constant memory.
 * @throws BrokenFile when the file is missing, truncated, not UTF-8, not JSON or not a list of objects.
 */
export async function* readEntries(file: string): AsyncGenerator<Entry> {
	let number = 0;
	for await (const pieces of splitList(openBytes(file), { entryDepth: 2, maxBytes })) {
		for (const { line, text, fault } of pieces) {
			if (fault !== null && isBetweenEntries(fault)) throw new BrokenFile(file, `line ${line}`, reasons[fault]);
			const where = `entry ${++number} (line ${line})`;
			if (fault !== null) throw new BrokenFile(file, where, reasons[fault]);
			yield { value: parse(text, where), where };
		}
	}

	function parse(text: string, where: string): unknown {
		try {
			return JSON.parse(text);
		} catch (error) {
			throw new BrokenFile(file, where, `it is no JSON: ${toError(error).message}`);
		}
	}
}

async function* openBytes(file: string): AsyncGenerator<Buffer> {
	try {
		yield* createReadStream(file, { highWaterMark: 1 << 18 });
	} catch (error) {
		throw new BrokenFile(file, "", getErrorCode(error) === "ENOENT" ? "there is no such file" : toError(error).message);
	}
}
