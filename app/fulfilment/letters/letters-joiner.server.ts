// A program that print-letters.server.ts starts: it reads the sheets and the extracts from standard input, and writes one PDF in JSON, in
// base64. A malicious file can only end this process. Argument: processor time in milliseconds.
import { buffer } from "node:stream/consumers";
import { PDFDocument } from "pdf-lib";
import { watchLimits } from "../extracts/confined-limits.server.ts";
import { type JoinedLetters, unpackFiles } from "./packed-files.ts";

watchLimits();
const [sheets, ...extracts] = unpackFiles(new Uint8Array(await buffer(process.stdin)));
process.stdout.write(JSON.stringify(await join(sheets ?? new Uint8Array(), extracts)));

/** Puts each extract after its sheet. An extract that cannot be read is left out with its sheet. */
async function join(sheets: Uint8Array, extracts: readonly Uint8Array[]): Promise<JoinedLetters> {
	const joined = await PDFDocument.create();
	const fromSheets = await PDFDocument.load(sheets);
	const unreadable: number[] = [];
	for (const [index, bytes] of extracts.entries()) {
		try {
			const extract = await PDFDocument.load(bytes);
			const pages = await joined.copyPages(extract, extract.getPageIndices());
			const [sheet] = await joined.copyPages(fromSheets, [index]);
			for (const page of sheet ? [sheet, ...pages] : []) joined.addPage(page);
		} catch {
			unreadable.push(index);
		}
	}
	return { pdf: Buffer.from(await joined.save()).toString("base64"), unreadable };
}
