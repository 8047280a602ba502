import { basename } from "node:path";

/** An export cannot be imported. The message names the file, the place and the reason. */
export class BrokenExport extends Error {
	/** Whether only the end is missing. */
	readonly isCut: boolean;

	constructor(file: string, reason: string, { isCut = false } = {}) {
		super(`${basename(file)} cannot be imported: ${reason}`);
		this.isCut = isCut;
	}
}
