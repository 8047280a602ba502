import { basename } from "node:path";

/** An export cannot be imported. The message names the file, the place and the reason. */
export class BrokenExport extends Error {
	constructor(file: string, reason: string) {
		super(`${basename(file)} cannot be imported: ${reason}`);
	}
}
