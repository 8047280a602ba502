// A program that inspect-pdf.server.ts starts for one file: it reads a PDF from standard input and writes a summary as JSON.
// A malicious file can only end this process. The argument is the limit of processor time in milliseconds.
import { buffer } from "node:stream/consumers";
import { watchLimits } from "./confined-limits.server.ts";
import { summarisePdf } from "./summarise-pdf.server.ts";

watchLimits();
const summary = await summarisePdf(new Uint8Array(await buffer(process.stdin)));
process.stdout.write(JSON.stringify(summary));
