import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { PdfSummary } from "./pdf-summary.ts";

/**
 * Reads a PDF in a process of its own.
 * @param longest computing time, in milliseconds.
 * @returns null when the file took too much time or memory.
 * @throws when the inspector itself does not work.
 */
export async function inspectPdf(bytes: Uint8Array, longest = 10_000): Promise<PdfSummary | null> {
	const resolve = createRequire(import.meta.url).resolve;
	const program = resolve("#app/extracts/pdf-inspector.server.ts");
	const readable = [dirname(program), join(dirname(program), "../../package.json"), dirname(dirname(resolve("unpdf")))];
	const output = await runConfined(program, { readable, input: bytes, longest });
	return output === null ? null : JSON.parse(output);
}

/**
 * Runs a program in a process that has no secrets, may read nothing but `readable`, write nothing and start nothing, and is ended when it
 * takes too long or too much memory.
 * @param longest its argument: computing time, in milliseconds, which it watches itself. On the clock it has six times as long.
 * @returns what it wrote; null when it was ended.
 * @throws when it fails.
 */
export function runConfined(
	program: string,
	{ readable, input, longest }: { readable: string[]; input: Uint8Array; longest: number },
): Promise<string | null> {
	const options = [
		"--permission",
		...readable.map((path) => `--allow-fs-read=${path}`),
		"--allow-worker",
		"--disallow-code-generation-from-strings",
		"--max-old-space-size=256",
	];
	return new Promise((done, fail) => {
		const child = execFile(
			process.execPath,
			[...options, program, String(longest)],
			{ env: {}, timeout: 6 * longest, killSignal: "SIGKILL", maxBuffer: 8 * 2 ** 20, encoding: "utf8" },
			(error, output, faults) => {
				if (error === null) done(output);
				else if (error.signal || error.code === 134)
					done(null); // ended from outside, or V8 out of memory
				else fail(new Error(`the PDF inspector does not work: ${faults.slice(-1000)}`));
			},
		);
		child.stdin?.on("error", () => {}); // it may end before it has read all; the callback above says how
		child.stdin?.end(input);
	});
}
