import { basename } from "node:path";

/** What was read cannot be imported: a file, or an answer. The message names it, the place and the reason. */
export class BrokenFile extends Error {
	/** Whether only the end is missing. */
	readonly isCut: boolean;

	/** @param where such as « line 3 »; empty for the whole file. */
	constructor(file: string, where: string, reason: string, { isCut = false } = {}) {
		super(`${basename(file)} cannot be imported: ${where}${where && ", "}${reason}`);
		this.isCut = isCut;
	}
}
