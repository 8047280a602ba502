import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { PdfFacts } from "./pdf-facts.ts";

/**
 * Reads a PDF in a process of its own, which has no secrets, may read nothing but its own program, write nothing and start nothing, and is ended
 * when it takes too long or half a gigabyte.
 * @param longest computing time, in milliseconds.
 * @returns null when the file took too much of either.
 * @throws when the inspector itself does not work.
 */
export function inspectPdf(bytes: Uint8Array, longest = 10_000): Promise<PdfFacts | null> {
	const resolve = createRequire(import.meta.url).resolve;
	const program = resolve("#app/issuing/pdf-inspector.server.ts");
	const readable = [dirname(program), join(dirname(program), "../../package.json"), dirname(dirname(resolve("unpdf")))];
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
				if (error === null) done(JSON.parse(output) as PdfFacts);
				else if (error.signal || error.code === 134)
					done(null); // ended from outside, or V8 out of memory
				else fail(new Error(`the PDF inspector does not work: ${faults.slice(-1000)}`));
			},
		);
		child.stdin?.on("error", () => {}); // it may end before it has read all; the callback above says how
		child.stdin?.end(bytes);
	});
}
