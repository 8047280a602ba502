import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { limitConcurrency } from "../../../server/limit-concurrency.ts";
import { getErrorCode } from "../../../server/types/errors.ts";
import type { PdfSummary } from "./pdf-summary.ts";

/** Confined processes at once: each may use 512 MB. */
export const maxConfined = 3;
const inTurn = limitConcurrency(maxConfined);

/** Reads a PDF. @returns null when the file took too much time or memory. @throws when the inspector itself does not work. */
export type InspectPdf = (bytes: Uint8Array) => Promise<PdfSummary | null>;

export interface InspectorContext {
	/** The shop's is `inspectPdf`; tests read their own files without a process for each. */
	inspectPdf: InspectPdf;
}

/**
 * Reads a PDF in a separate process.
 * @param maxCpuMs milliseconds of processor time.
 * @returns null when the file took too much time or memory.
 * @throws when the inspector itself does not work.
 */
export async function inspectPdf(bytes: Uint8Array, maxCpuMs = 10_000): Promise<PdfSummary | null> {
	const resolve = createRequire(import.meta.url).resolve;
	const program = resolve("#app/fulfilment/extracts/pdf-inspector.server.ts");
	const output = await runConfined(program, { readable: listReadable("unpdf"), input: bytes, maxCpuMs });
	return output === null ? null : JSON.parse(output);
}

/** What a program of this folder may read: the folder, the check of a SIREN, pdf-lib and one more package. */
export function listReadable(packageName?: string): string[] {
	const resolve = createRequire(import.meta.url).resolve;
	const folder = dirname(resolve("#app/fulfilment/extracts/pdf-inspector.server.ts"));
	const modules = dirname(dirname(dirname(resolve("pdf-lib"))));
	// pako and tslib lie in the folder of pdf-lib, as other packages need other versions
	const packages = ["pdf-lib", "@pdf-lib", ...(packageName ? [packageName] : [])];
	const files = ["../../../package.json", "../../../server/types/check-digits.ts"].map((path) => join(folder, path));
	return [folder, ...files, ...packages.map((name) => join(modules, name))];
}

/**
 * Runs a program in a process without secrets that may only read `readable`, and write and start nothing. It ends when it uses too much
 * time or memory. A few run at once; the others wait for their turn, which counts for no limit. A program must end by itself: while V8
 * compiles in the background, process.exit() may wait for ever.
 * @param maxCpuMs milliseconds of processor time, which the program watches itself. The wall-clock limit is six times as long.
 * @param args the program's other arguments.
 * @returns its output; null when it was killed.
 * @throws when the program fails.
 */
export function runConfined(
	program: string,
	{
		readable,
		input,
		maxCpuMs,
		args = [],
		maxOutputBytes = 8 * 2 ** 20,
	}: { readable: string[]; input: Uint8Array; maxCpuMs: number; args?: string[]; maxOutputBytes?: number },
): Promise<string | null> {
	const options = [
		"--permission",
		...readable.map((path) => `--allow-fs-read=${path}`),
		"--allow-worker",
		"--disallow-code-generation-from-strings",
		"--max-old-space-size=256",
	];
	const start = () =>
		new Promise<string | null>((resolveOutput, reject) => {
			const child = execFile(
				process.execPath,
				[...options, program, String(maxCpuMs), ...args],
				{ env: {}, timeout: 6 * maxCpuMs, killSignal: "SIGKILL", maxBuffer: maxOutputBytes, encoding: "utf8" },
				(error, output, errors) => {
					const isTooLong = error !== null && getErrorCode(error) === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
					if (error === null) resolveOutput(output);
					else if (error.signal || error.code === 134 || isTooLong)
						resolveOutput(null); // killed, or out of memory in V8
					else reject(new Error(`the PDF inspector does not work: ${errors.slice(-1000)}`));
				},
			);
			child.stdin?.on("error", () => {}); // the process may end before it has read everything, which the callback above handles
			child.stdin?.end(input);
		});
	return inTurn(start);
}
