import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type pg from "pg";
import { Client } from "../../../../server/database/database.ts";
import { BrokenFile } from "../../../../server/files/broken-file.ts";
import { maskHiddenCompanies } from "../hidden-companies.store.server.ts";
import { type DuplicateCounts, deleteDuplicates } from "./duplicates.store.server.ts";
import {
	buildIndexes,
	buildVocabulary,
	type Counts,
	closeStaging,
	commitAndVacuum,
	createBranches,
	createCompanies,
	openStaging,
	recordSources,
	replaceLiveTables,
} from "./import.store.server.ts";
import { type StagedFile, type StockFileKind, stageFileInThread } from "./stage-file.server.ts";

export interface ImportProgress {
	step: "reading" | "joining" | "indexing" | "done";
	/** The completed share of the import, 0 to 1. */
	fraction: number;
	/** The number of rows read from both files. */
	rows: number;
}

export interface ImportOptions {
	/** Reads, checks and counts everything, without changing the live tables. */
	dryRun?: boolean;
	onProgress?: (progress: ImportProgress) => void;
}

/** The result of an import. */
export interface ImportSummary {
	/** The number of companies after the import; in a dry run, the expected number. */
	companies: number;
	/** Whether an interrupted import was resumed. */
	resumed: boolean;
	/** Of the kept rows: masked ones are not fully diffused, purged ones lost most data at INSEE. */
	units: FileSummary & { masked: number; purged: number };
	/** Of the kept rows: head offices, head offices without a unit, and other open establishments. */
	establishments: FileSummary & { headOffices: number; orphans: number; branches: number };
}

export interface FileSummary {
	read: number;
	kept: number;
	/** The number of skipped rows by reason; reasons without any are absent. */
	skipped: Counts;
	/** The first rows that could not be read: file, line, reason. */
	faults: string[];
}

/** Staged tables of another version are not resumed. */
const stagingVersion = 6;
/** The shares of an import's duration at the end of reading and of joining. */
const readShare = 0.5;
const joinedShare = 0.75;

/**
 * Imports INSEE's SIRENE stock files (.csv, .csv.gz, .zip) in constant memory. One transaction replaces the live tables when the new ones
 * are complete. An interrupted import resumes when it gets the same files. Concurrent imports run one after the other.
 * @throws BrokenFile when a file cannot be read, has another format or holds no unit; the live tables are then unchanged.
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
		const rows = (units.counts.read ?? 0) + (establishments.counts.read ?? 0);
		if ((units.counts.kept ?? 0) === 0) throw new BrokenFile(unitsFile, "", "it holds no unit");

		onProgress({ step: "joining", fraction: readShare, rows });
		await client.query("begin");
		const duplicates = await deleteDuplicates(client, { units: isSorted(units.counts), headOffices: isSorted(establishments.counts) });
		const summary = summarise(units, establishments, duplicates, resumed);
		if (dryRun) {
			await client.query("rollback");
		} else {
			await createCompanies(client);
			await createBranches(client);
			await recordSources(client, new Date());
			onProgress({ step: "indexing", fraction: joinedShare, rows });
			await buildVocabulary(client);
			await buildIndexes(client, (fraction) =>
				onProgress({ step: "indexing", fraction: joinedShare + (1 - joinedShare) * fraction, rows }),
			);
			await commitAndVacuum(client);
			await replaceLiveTables(client, () => maskHiddenCompanies(client));
		}
		await closeStaging(client);
		onProgress({ step: "done", fraction: 1, rows });
		return summary;
	} catch (error) {
		// staged rows of a broken file are useless; after any other error the import can be resumed
		if (error instanceof BrokenFile) await client.query("rollback").then(() => closeStaging(client));
		throw error;
	} finally {
		await client.end();
	}
}

/** Stages both files at the same time. @returns the counts of their rows. */
async function stageFiles(
	connection: pg.ClientConfig,
	unitsFile: string,
	establishmentsFile: string,
	onProgress: (progress: ImportProgress) => void,
): Promise<{ units: StagedFile; establishments: StagedFile }> {
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
					fraction: (readShare * all.reduce((sum, part) => sum + part.fraction, 0)) / all.length,
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

function isSorted({ outOfOrder = 0, secondHeads = 0 }: Counts): boolean {
	return outOfOrder === 0 && secondHeads === 0;
}

/** Identifies files without reading them. */
function fingerprint(...files: string[]): string {
	const hash = createHash("sha256").update(String(stagingVersion));
	for (const file of files) {
		const stat = statSync(file, { throwIfNoEntry: false });
		if (!stat) throw new BrokenFile(file, "", "there is no such file");
		hash.update(`${resolve(file)}\0${stat.size}\0${stat.mtimeMs}\0`);
	}
	return hash.digest("hex");
}

function summarise(units: StagedFile, establishments: StagedFile, duplicates: DuplicateCounts, resumed: boolean): ImportSummary {
	const { read = 0, kept = 0, masked = 0, purged = 0, outOfOrder: _, ...skippedUnits } = units.counts;
	const {
		read: establishmentsRead = 0,
		heads: stagedHeadOffices = 0,
		branches = 0,
		secondHeads: __,
		outOfOrder: ___,
		...skippedEstablishments
	} = establishments.counts;
	const headOffices = stagedHeadOffices - duplicates.headOffices - duplicates.formerHeadOffices;
	return {
		companies: kept - duplicates.units,
		resumed,
		units: {
			read,
			kept: kept - duplicates.units,
			masked,
			purged,
			skipped: omitZeros({ ...skippedUnits, duplicate: duplicates.units }),
			faults: units.faults,
		},
		establishments: {
			read: establishmentsRead,
			kept: headOffices + branches,
			headOffices,
			branches,
			orphans: duplicates.orphans,
			skipped: omitZeros({ ...skippedEstablishments, duplicate: duplicates.headOffices, "former-head": duplicates.formerHeadOffices }),
			faults: establishments.faults,
		},
	};
}

function omitZeros(counts: Counts): Counts {
	return Object.fromEntries(Object.entries(counts).filter(([, rows]) => rows > 0));
}
