import { basename } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type pg from "pg";
import { Client } from "../../../../server/database/database.ts";
import { BrokenFile } from "../../../../server/files/broken-file.ts";
import { checkSkipped, maxNamedFaults } from "../../../../server/files/skipped-entries.ts";
import {
	type Checkpoint,
	type Counts,
	configureSession,
	copyInto,
	copyLine,
	readCheckpoint,
	stageBatch,
	stagedTables,
} from "./import.store.server.ts";
import {
	createEstablishmentParser,
	createUnitParser,
	neededEstablishmentColumns,
	neededUnitColumns,
	type SkipReason,
} from "./sirene-rows.ts";
import { type Block, openStockFile } from "./stock-file.server.ts";

/** The number of bytes between two checkpoints. */
const batchBytes = 8 << 20;

export type StockFileKind = keyof typeof stagers;

interface Task {
	connection: pg.ClientConfig;
	kind: StockFileKind;
	file: string;
}

/** The counts of all rows of a file, and the first ones that could not be read: file, line, reason. */
export interface StagedFile {
	counts: Counts;
	faults: string[];
}

type Message = { progress: { fraction: number; rows: number } } | { staged: StagedFile } | { broken: string };

/**
 * Stages the rest of a stock file in a worker thread, so that the two files of an import are read at the same time.
 * @param onProgress receives the fraction of the file, 0 to 1, and the number of rows read.
 * @returns what became of all rows, including those of an interrupted import.
 * @throws BrokenFile, as openStockFile does.
 */
export function stageFileInThread(
	task: Task,
	onProgress: (fraction: number, rows: number) => void,
	signal: AbortSignal,
): Promise<StagedFile> {
	// two workers and the main thread share the memory of an import
	const worker = new Worker(new URL(import.meta.url), {
		workerData: task,
		resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 64 },
	});
	signal.addEventListener("abort", () => void worker.terminate());
	return new Promise((resolve, reject) => {
		worker.on("message", (message: Message) => {
			if ("progress" in message) onProgress(message.progress.fraction, message.progress.rows);
			else if ("staged" in message) resolve(message.staged);
			else reject(Object.assign(new BrokenFile(task.file, "", ""), { message: message.broken }));
		});
		worker.on("error", reject);
		worker.on("exit", () => reject(new Error(`the reading of ${task.file} was stopped`)));
	});
}

/** Converts the rows of a file: lines for the main table at once, others at the end of a batch. */
interface Stager {
	/** The columns that a file must have. */
	columns: readonly string[];
	table: "units" | "heads";
	/** The key by which INSEE sorts the file. */
	key: "siren" | "siret";
	/** @param skip is told of each skipped row. @returns a function from a row to its line for the main table, or to null. It updates `counts`. */
	createConverter(
		header: readonly string[],
		{ counts, lastKey }: Checkpoint,
		skip: (reason: SkipReason) => null,
	): (cells: readonly string[]) => string | null;
	/** Copies the batch's rows for other tables. */
	flush(client: pg.Client): Promise<void>;
}

const stagers = {
	units(): Stager {
		const line = copyLine(stagedTables.units);
		return {
			columns: neededUnitColumns,
			table: "units",
			key: "siren",
			createConverter(header, { counts }, skip) {
				const read = createUnitParser(header);
				return (cells) => {
					const row = read(cells);
					if (typeof row === "string") return skip(row);
					count(counts, "kept");
					if (row.unit.masked) count(counts, "masked");
					if (row.purged) count(counts, "purged");
					return line(row.unit);
				};
			},
			flush: async () => {},
		};
	},
	establishments(): Stager {
		const headLine = copyLine(stagedTables.heads);
		const branchLine = copyLine(stagedTables.branches);
		let branches = "";
		return {
			columns: neededEstablishmentColumns,
			table: "heads",
			key: "siret",
			createConverter(header, { counts, lastKey }, skip) {
				const read = createEstablishmentParser(header);
				let lastHead = lastKey.slice(0, 9);
				return (cells) => {
					const row = read(cells);
					if (typeof row === "string") return skip(row);
					if ("head" in row) {
						count(counts, "heads");
						if (row.head.siren === lastHead) count(counts, "secondHeads");
						lastHead = row.head.siren;
						return headLine(row.head);
					}
					branches += branchLine(row.branch);
					return count(counts, "branches");
				};
			},
			async flush(client) {
				await copyInto(client, "branches", [branches]);
				branches = "";
			},
		};
	},
};

function count(counts: Counts, what: string): null {
	counts[what] = (counts[what] ?? 0) + 1;
	return null;
}

/** Stages the rest of a stock file. Parameters, result and errors are those of stageFileInThread. */
export async function stageFile(
	{ connection, kind, file }: Task,
	onProgress: (fraction: number, rows: number) => void,
): Promise<StagedFile> {
	const client = new Client({ application_name: "extrait-pro import", ...connection });
	await client.connect();
	try {
		await configureSession(client);
		return await stageRest(client, file, stagers[kind](), onProgress);
	} finally {
		await client.end();
	}
}

async function stageRest(
	client: pg.Client,
	file: string,
	stager: Stager,
	onProgress: (fraction: number, rows: number) => void,
): Promise<StagedFile> {
	let checkpoint = await readCheckpoint(client, stager.table);
	const { counts, faults } = checkpoint;
	if (checkpoint.done) return { counts, faults };
	const { header, blocks } = await openStockFile(file, stager.columns, checkpoint);
	let line = 0;
	const skip = (reason: SkipReason | "broken", fault = reason === "no-number" ? "no SIREN or SIRET" : "no state"): null => {
		count(counts, reason);
		if (reason !== "closed" && faults.length < maxNamedFaults) faults.push(`${basename(file)}, line ${line}: ${fault}`);
		return null;
	};
	const convertRow = stager.createConverter(header, checkpoint, skip);
	const keyColumn = header.indexOf(stager.key);
	const iterator = blocks[Symbol.asyncIterator]();

	/** Yields the lines of one batch and advances `reached`. */
	async function* lines(reached: typeof checkpoint): AsyncGenerator<string> {
		const start = reached.byte;
		while (reached.byte - start < batchBytes) {
			const { value, done }: IteratorResult<Block> = await iterator.next();
			if (done) {
				reached.done = true;
				return;
			}
			let text = "";
			for (const cells of value.rows) {
				count(counts, "read");
				line = value.place.line;
				if (typeof cells === "string") {
					skip("broken", cells);
					continue;
				}
				const key = cells[keyColumn] ?? "";
				if (key <= reached.lastKey) count(counts, "outOfOrder");
				reached.lastKey = key;
				text += convertRow(cells) ?? "";
			}
			checkUnreadable(file, { counts, faults }, value);
			Object.assign(reached, value.end);
			onProgress(value.fraction, counts.read ?? 0);
			if (text) yield text;
		}
	}
	while (!checkpoint.done) {
		const reached = { ...checkpoint };
		await stageBatch(client, stager.table, reached, async () => {
			await copyInto(client, stager.table, lines(reached));
			await stager.flush(client);
		});
		checkpoint = reached;
	}
	return { counts, faults };
}

function checkUnreadable(file: string, { counts, faults }: StagedFile, { end }: Block): void {
	const faulty = (counts["no-number"] ?? 0) + (counts["no-state"] ?? 0) + (counts.broken ?? 0);
	checkSkipped(file, `line ${end.line - 1}`, { read: counts.read ?? 0, faulty }, `rows so far cannot be read, such as ${faults[0]}`);
}

// in a worker thread, this file runs its task
if (!isMainThread && parentPort) {
	const post = (message: Message) => parentPort?.postMessage(message);
	try {
		post({ staged: await stageFile(workerData, (fraction, rows) => post({ progress: { fraction, rows } })) });
	} catch (error) {
		if (!(error instanceof BrokenFile)) throw error;
		post({ broken: error.message });
	}
}
