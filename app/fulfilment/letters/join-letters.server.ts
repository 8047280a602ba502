import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runConfined } from "../extracts/inspect-pdf.server.ts";
import { type JoinedLetters, packFiles } from "./packed-files.ts";

/** In milliseconds of processor time. */
const maxCpuMs = 20_000;

/**
 * Joins sheets and extracts to one PDF for the printer, each extract after its sheet, in a process that may only read. The stored extracts
 * stay as they are.
 * @returns the PDF and the positions of extracts that cannot be read; null when the files took too much time or memory.
 */
export async function joinLetters(
	sheets: Uint8Array,
	extracts: readonly Uint8Array[],
): Promise<{ pdf: Uint8Array<ArrayBuffer>; unreadable: number[] } | null> {
	const resolve = createRequire(import.meta.url).resolve;
	const program = resolve("#app/fulfilment/letters/letters-joiner.server.ts");
	const fulfilment = dirname(dirname(program));
	const modules = dirname(dirname(dirname(resolve("pdf-lib"))));
	const readable = [
		...[dirname(program), join(fulfilment, "extracts"), join(fulfilment, "../../package.json")],
		...["pdf-lib", "@pdf-lib", "pako", "tslib"].map((name) => join(modules, name)),
	];
	const output = await runConfined(program, { readable, input: packFiles([sheets, ...extracts]), maxCpuMs, maxOutputBytes: 64 * 2 ** 20 });
	if (output === null) return null;
	const { pdf, unreadable } = JSON.parse(output) as JoinedLetters;
	return { pdf: Buffer.from(pdf, "base64"), unreadable };
}
