import { BrokenFile } from "./broken-file.ts";

/** The entries of a file that were read so far, and those among them that could not be understood. */
export interface EntryCounts {
	read: number;
	faulty: number;
}

/** Up to so many are skipped, whatever their share. */
const alwaysSkipped = 100;
const maxShare = 0.01;

/** How many skipped entries of an import are named. */
export const maxNamedFaults = 5;

/**
 * Refuses a file of which too much would be skipped: one entry in a hundred, and more than a hundred. Every import of a register has this rule.
 * @param what the entries and what they lack: « rows so far have no SIREN ». @throws BrokenFile.
 */
export function checkSkipped(file: string, where: string, { read, faulty }: EntryCounts, what: string): void {
	if (faulty > Math.max(alwaysSkipped, read * maxShare)) throw new BrokenFile(file, where, `${faulty} ${what}`);
}
