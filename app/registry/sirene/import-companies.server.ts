import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type pg from "pg";
import { Client } from "../../../server/database/database.ts";
import { maskHidden } from "../hidden-companies.store.server.ts";
import { type Doubles, setAsideDoubles } from "./duplicates.store.server.ts";
import {
	buildIndexes,
	buildVocabulary,
	type Counts,
	closeStaging,
	joinCompanies,
	openStaging,
	recordSources,
	settle,
	swap,
} from "./import.store.server.ts";
import { type StockFileKind, stageFileInThread } from "./stage-file.server.ts";
import { BrokenFile } from "./stock-file.server.ts";

export interface ImportProgress {
	step: "reading" | "joining" | "indexing" | "done";
	/** Of the whole import, 0 to 1. */
	fraction: number;
	/** Rows read so far, of both files. */
	rows: number;
}

export interface ImportOptions {
	/** Reads, checks and counts everything, and leaves the live tables as they are. */
	dryRun?: boolean;
	onProgress?: (progress: ImportProgress) => void;
}

/** What an import did with the rows of its files. */
export interface ImportSummary {
	/** How many companies the tables now hold; in a dry run, would hold. */
	companies: number;
	/** Whether an interrupted import was taken up where it had stopped. */
	resumed: boolean;
	/** Of the kept ones: not fully diffused, and purged of most data by INSEE. */
	units: FileSummary & { masked: number; purged: number };
	/** Of the kept ones: head offices, those of units that are not in the file, and other open establishments. */
	establishments: FileSummary & { headOffices: number; orphans: number; branches: number };
}

export interface FileSummary {
	read: number;
	kept: number;
	/** How many rows were set aside, by reason; a reason without any is absent. */
	setAside: Counts;
}

/** Staged tables of another making are not resumed. */
const stagingVersion = 3;
/** Shares of an import's time after which the files are read, and after which the new table stands. */
const read = 0.5;
const joined = 0.75;

/**
 * Imports INSEE's SIRENE stock files (.csv, .csv.gz, .zip) in constant memory. The live tables are replaced in one transaction, and only
 * when the new ones are complete. An import that was interrupted is taken up again when the same files are given.
 * Two imports at once: the second waits for the first.
 * @throws BrokenFile when a file cannot be read, is another one or holds no unit; the live tables are then untouched.
 */
export async function importCompanies(
	connection: pg.ClientConfig,
	unitsFile: string,
	establishmentsFile: string,
	{ dryRun = false, onProgress = () => {} }: ImportOptions = {},
): Promise<ImportSummary> {
	const origin = fingerprint(unitsFile, establishmentsFile);
	const client = new Client({ application_name: "extrait-pro import", ...connection });
	await client.connect();
	try {
		const resumed = await openStaging(client, origin);
		const { units, establishments } = await stageFiles(connection, unitsFile, establishmentsFile, onProgress);
		const rows = (units.read ?? 0) + (establishments.read ?? 0);
		if ((units.kept ?? 0) === 0) throw new BrokenFile(unitsFile, "", "it holds no unit");

		onProgress({ step: "joining", fraction: read, rows });
		await client.query("begin");
		const doubles = await setAsideDoubles(client, { units: isInOrder(units), heads: isInOrder(establishments) });
		const summary = summarise(units, establishments, doubles, resumed);
		if (dryRun) {
			await client.query("rollback");
		} else {
			await joinCompanies(client);
			await recordSources(client, new Date());
			onProgress({ step: "indexing", fraction: joined, rows });
			await buildVocabulary(client);
			await buildIndexes(client, (fraction) => onProgress({ step: "indexing", fraction: joined + (1 - joined) * fraction, rows }));
			await settle(client);
			await swap(client, () => maskHidden(client));
		}
		await closeStaging(client);
		onProgress({ step: "done", fraction: 1, rows });
		return summary;
	} catch (error) {
		// what was staged of a broken file is of no use; after any other failure the same files may be taken up again
		if (error instanceof BrokenFile) await client.query("rollback").then(() => closeStaging(client));
		throw error;
	} finally {
		await client.end();
	}
}

/** Reads both files at the same time. @returns what became of their rows. */
async function stageFiles(
	connection: pg.ClientConfig,
	unitsFile: string,
	establishmentsFile: string,
	onProgress: (progress: ImportProgress) => void,
): Promise<{ units: Counts; establishments: Counts }> {
	const failed = new AbortController();
	const progress = { units: { fraction: 0, rows: 0 }, establishments: { fraction: 0, rows: 0 } };
	const stage = (kind: StockFileKind, file: string) =>
		stageFileInThread(
			{ connection, kind, file },
			(fraction, rows) => {
				progress[kind] = { fraction, rows };
				const all = Object.values(progress);
				onProgress({
					step: "reading",
					fraction: (read * all.reduce((sum, part) => sum + part.fraction, 0)) / all.length,
					rows: all.reduce((sum, part) => sum + part.rows, 0),
				});
			},
			failed.signal,
		);
	try {
		const [units, establishments] = await Promise.all([stage("units", unitsFile), stage("establishments", establishmentsFile)]);
		return { units, establishments };
	} catch (error) {
		failed.abort();
		throw error;
	}
}

function isInOrder({ outOfOrder = 0, secondHeads = 0 }: Counts): boolean {
	return outOfOrder === 0 && secondHeads === 0;
}

/** Tells files apart without reading them. */
function fingerprint(...files: string[]): string {
	const hash = createHash("sha256").update(String(stagingVersion));
	for (const file of files) {
		const stat = statSync(file, { throwIfNoEntry: false });
		if (!stat) throw new BrokenFile(file, "", "there is no such file");
		hash.update(`${resolve(file)}\0${stat.size}\0${stat.mtimeMs}\0`);
	}
	return hash.digest("hex");
}

function summarise(units: Counts, establishments: Counts, doubles: Doubles, resumed: boolean): ImportSummary {
	const { read = 0, kept = 0, masked = 0, purged = 0, outOfOrder: _, ...unitsAside } = units;
	const { read: readThere = 0, heads = 0, branches = 0, secondHeads: __, outOfOrder: ___, ...establishmentsAside } = establishments;
	const headOffices = heads - doubles.headOffices - doubles.formerHeadOffices;
	return {
		companies: kept - doubles.units,
		resumed,
		units: { read, kept: kept - doubles.units, masked, purged, setAside: some({ ...unitsAside, duplicate: doubles.units }) },
		establishments: {
			read: readThere,
			kept: headOffices + branches,
			headOffices,
			branches,
			orphans: doubles.orphans,
			setAside: some({ ...establishmentsAside, duplicate: doubles.headOffices, "former-head": doubles.formerHeadOffices }),
		},
	};
}

function some(counts: Counts): Counts {
	return Object.fromEntries(Object.entries(counts).filter(([, rows]) => rows > 0));
}
