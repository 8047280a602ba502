import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type pg from "pg";
import { Client } from "../../../../server/database/database.ts";
import { BrokenFile } from "../../../../server/files/broken-file.ts";
import type { Coverage } from "./coverage.ts";
import { openExport, readRecords } from "./export-records.server.ts";
import {
	analyzeNotices,
	type Counts,
	createStaging,
	dropStaging,
	emptyCounts,
	findStaged,
	lockBulletin,
	type Stored,
	storeStaged,
} from "./import.store.server.ts";
import { createStager } from "./stage-notices.server.ts";

export interface ImportOptions {
	/** The days of which the files have every notice; null for single notices. */
	covers?: Coverage | null;
	/** The instant of the import; the default is now. */
	at?: Date;
	/** Receives the completed fraction, 0 to 1, and the number of records read. */
	onProgress?: (fraction: number, records: number) => void;
}

export interface NoticesSummary extends Counts, Stored {
	/** Whether an interrupted import was taken up again. */
	resumed: boolean;
}

/** Staged rows of another version are not taken up again. */
const stagingVersion = 1;
/** The share of an import's duration at the end of reading. */
const readShare = 0.7;

/**
 * Imports exports of the bulletin (CSV, JSON, JSON lines, also .gz) in constant memory. All files are read first, then one transaction stores
 * them. An interrupted import goes on where it stopped when it gets the same files. Imports run one after the other.
 * @throws BrokenFile when a file is no export of the bulletin, or ends too early; nothing is changed then.
 */
export async function importNotices(
	connection: pg.ClientConfig,
	files: readonly string[],
	{ covers = null, at, onProgress = () => {} }: ImportOptions = {},
): Promise<NoticesSummary> {
	const origin = fingerprint(files);
	const client = new Client({ application_name: "extrait-pro bulletin", ...connection });
	await client.connect();
	try {
		await lockBulletin(client);
		const staged = await findStaged(client, origin);
		if (!staged) await createStaging(client, "bulletin_import", origin);
		const checkpoint = staged?.checkpoint ?? { file: 0, records: 0, recognised: false, counts: emptyCounts() };
		const stager = createStager(client, "bulletin_import", { checkpoint, texts: staged?.texts });
		for (const [index, file] of files.entries()) {
			if (index < checkpoint.file) continue;
			const bytes = openExport(file);
			const blocks = readRecords(bytes, checkpoint.records);
			const report = () => onProgress((readShare * (index + bytes.fraction())) / files.length, checkpoint.counts.read);
			await stager.stage(basename(file), reporting(blocks, report));
		}
		onProgress(readShare, checkpoint.counts.read);
		const stored = await storeStaged(client, "bulletin_import", { at: at ?? new Date(), covers });
		await dropStaging(client);
		await analyzeNotices(client);
		onProgress(1, checkpoint.counts.read);
		return { ...checkpoint.counts, ...stored, resumed: staged !== null };
	} catch (error) {
		// staged rows of a broken file are useless; after any other error the import can be resumed
		if (error instanceof BrokenFile) await client.query("rollback").then(() => dropStaging(client));
		throw error;
	} finally {
		await client.end();
	}
}

async function* reporting<Item>(items: AsyncIterable<Item>, report: () => void): AsyncGenerator<Item> {
	for await (const item of items) {
		yield item;
		report();
	}
}

/** Identifies files without reading them. */
function fingerprint(files: readonly string[]): string {
	const hash = createHash("sha256").update(`${stagingVersion}\0`);
	for (const file of files) {
		const stat = statSync(file, { throwIfNoEntry: false });
		if (!stat?.isFile()) throw new BrokenFile(file, "", "there is no such file.");
		hash.update(`${resolve(file)}\0${stat.size}\0${stat.mtimeMs}\0`);
	}
	return hash.digest("hex");
}
