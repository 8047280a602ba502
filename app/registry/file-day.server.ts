import { statSync } from "node:fs";
import { BrokenFile } from "./sirene/stock-file.server.ts";

/** Returns the day when a file was last written, yyyy-mm-dd. @throws BrokenFile for a missing file. */
export function getFileDay(file: string): string {
	const stat = statSync(file, { throwIfNoEntry: false });
	if (!stat) throw new BrokenFile(file, "", "there is no such file");
	return stat.mtime.toISOString().slice(0, 10);
}
