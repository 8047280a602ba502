import type pg from "pg";
import { BrokenFile } from "../../../../server/files/broken-file.ts";
import type { FileRecord } from "../../../../server/files/json-records.ts";
import { checkSkipped, maxNamedFaults } from "../../../../server/files/skipped-entries.ts";
import { toError } from "../../../../server/types/errors.ts";
import { type Batch, type Checkpoint, copyLine, escapeText, type Staging, stageBatch } from "./import.store.server.ts";
import { type ParsedNotice, parseNotice } from "./parse-notice.ts";

/** Rows between two checkpoints. */
const batchSize = 20_000;
/** Among the first records of a file, one at least must be a notice. */
const headRecords = 1000;
/** Courts and kinds. The bulletin has some hundred. */
const maxTexts = 5000;

/** In place of SIREN, days, court, kind, family and address. */
const nothing = [null, null, null, null, null, null, null] as const;

const emptyBatch = (): Batch & { rows: number } => ({ notices: "", corrections: "", texts: "", rows: 0 });

export interface Stager {
	/** Stages the records of a file. @throws BrokenFile when they are no notices. */
	stage(file: string, blocks: AsyncIterable<FileRecord[]>, onRow?: (row: ParsedNotice) => void): Promise<void>;
}

/**
 * Collects notices in the tables of an import, in large batches; while one is stored, the next is read.
 * @param checkpoint where to begin; it advances. @param texts the courts and kinds that are staged already.
 */
export function createStager(
	client: pg.Client,
	staging: Staging,
	{ checkpoint, texts = [] }: { checkpoint: Checkpoint; texts?: readonly string[] },
): Stager {
	const { counts } = checkpoint;
	const numbers = new Map(texts.map((text, number) => [text, number]));
	let batch = emptyBatch();
	/** The error of the batch that is stored meanwhile: thrown only once it is waited for. */
	let storing: Promise<Error | null> = Promise.resolve(null);

	async function waitUntilStored(): Promise<void> {
		const error = await storing;
		if (error !== null) throw error;
	}

	async function flush(): Promise<void> {
		await waitUntilStored();
		storing = stageBatch(client, staging, batch, structuredClone(checkpoint)).then(() => null, toError);
		batch = emptyBatch();
	}

	function getTextNumber(file: string, text: string | null): number | null {
		if (text === null) return null;
		const known = numbers.get(text);
		if (known !== undefined) return known;
		const number = numbers.size;
		if (number >= maxTexts)
			throw new BrokenFile(file, "", `it names more than ${maxTexts} courts and kinds of notice: it is no export of the bulletin.`);
		numbers.set(text, number);
		batch.texts += copyLine([number, escapeText(text)]);
		return number;
	}

	function add(file: string, { id, url, notice, correction }: ParsedNotice): void {
		const number = counts.read;
		if (typeof notice === "string") {
			batch.rows++;
			counts.skipped[notice] = (counts.skipped[notice] ?? 0) + 1;
			if (notice === "invented") return;
			// what was stored of it goes
			batch.notices += copyLine([number, id, ...nothing]);
		} else {
			counts.kept++;
			const { publishedOn, eventOn, family } = notice;
			const [court, kind] = [getTextNumber(file, notice.court), getTextNumber(file, notice.kind)];
			const rest = copyLine([publishedOn, eventOn, court, kind, family, url]);
			for (const siren of notice.sirens) batch.notices += `${number}\t${id}\t${siren}\t${rest}`;
			batch.rows += notice.sirens.length;
		}
		if (correction === null) return;
		counts.corrections++;
		batch.corrections += copyLine([number, id, correction.target, correction.publishedOn, correction.cancels, url]);
	}

	return {
		async stage(file, blocks, onRow = () => {}) {
			let firstFault = "";
			const addFault = (line: number, reason: string) => {
				counts.broken++;
				firstFault ||= `line ${line}: ${reason}`;
				if (counts.faults.length < maxNamedFaults) counts.faults.push(`${file}, line ${line}: ${reason}`);
			};
			const checkRecognised = () => {
				if (checkpoint.recognised) return;
				throw new BrokenFile(file, "", `it is no export of the bulletin: ${firstFault || "it holds no notice"}.`);
			};
			try {
				for await (const block of blocks) {
					for (const { line, value, fault } of block) {
						counts.read++;
						checkpoint.records++;
						const row = value === null ? (fault ?? "") : parseNotice(value);
						if (typeof row === "string") {
							addFault(line, row);
							if (checkpoint.records >= headRecords) checkRecognised();
							continue;
						}
						checkpoint.recognised = true;
						onRow(row);
						add(file, row);
					}
					if (checkpoint.recognised)
						checkSkipped(file, `line ${block.at(-1)?.line}`, { read: counts.read, faulty: counts.broken }, "records so far are no notices");
					if (batch.rows >= batchSize) await flush();
				}
				checkRecognised();
			} finally {
				await storing; // otherwise its transaction would be open
			}
			checkpoint.file++;
			Object.assign(checkpoint, { records: 0, recognised: false });
			await flush();
			await waitUntilStored();
		},
	};
}
