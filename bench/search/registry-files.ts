import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../database.ts";
import { type Registry, writeRegistry } from "../synthetic-registry.ts";

export const seed = 1;

/**
 * The made-up SIRENE files of a size: those of a folder, which are made there if there are none, or else in a temporary one.
 * @throws Error when the folder holds files of another size.
 */
export async function registryOf(undo: AsyncDisposableStack, units: number, folder?: string): Promise<Registry> {
	if (folder === undefined) return writeRegistry({ folder: temporaryFolder(undo), units, seed });
	const unitsFile = join(folder, "StockUniteLegale_utf8.csv");
	const establishmentsFile = join(folder, "StockEtablissement_utf8.csv");
	if (!existsSync(unitsFile) || !existsSync(establishmentsFile)) return writeRegistry({ folder, units, seed });
	const there = await countRows(unitsFile);
	if (there !== units) throw new Error(`${folder} holds ${there} units, not ${units}: give another folder`);
	return { unitsFile, establishmentsFile, units, establishments: await countRows(establishmentsFile) };
}

/** Lines besides the header; the made-up files have no line break in a cell. */
async function countRows(file: string): Promise<number> {
	let lines = 0;
	for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>)
		for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
	return lines - 1;
}
