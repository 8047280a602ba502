import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { DrawnPage } from "./find-marks.ts";
import { runConfined } from "./inspect-pdf.server.ts";

/** In milliseconds of processor time. */
const maxCpuMs = 5000;

/**
 * Draws a page of a PDF in a separate process, with the SIREN and the date of issue marked. Nothing in the file is executed.
 * @param page from 1. @returns null when the file has active content or no such page, or takes too much time or memory.
 * @throws when the program itself does not work.
 */
export async function drawPage(bytes: Uint8Array, { page, siren }: { page: number; siren: string }): Promise<DrawnPage | null> {
	const resolve = createRequire(import.meta.url).resolve;
	const program = resolve("#app/fulfilment/extracts/page-drawer.server.ts");
	const pdfium = dirname(dirname(resolve("@hyzyla/pdfium")));
	const readable = [dirname(program), join(dirname(program), "../../../package.json"), pdfium];
	const output = await runConfined(program, { readable, input: bytes, maxCpuMs, args: [String(page), siren] });
	return output === null ? null : JSON.parse(output);
}
