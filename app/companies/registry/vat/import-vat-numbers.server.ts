import type pg from "pg";
import { Client } from "../../../../server/database/database.ts";
import { BrokenFile } from "../../../../server/files/broken-file.ts";
import { getFileDay, openFile } from "../../../../server/files/open-file.server.ts";
import { checkSkipped } from "../../../../server/files/skipped-entries.ts";
import { toError } from "../../../../server/types/errors.ts";
import { configureSession } from "../sirene/import.store.server.ts";
import { createVatParser, endsEarly, findVatFormat, type VatEntry, type VatFormat } from "./vat-lines.ts";
import { copyIncoming, type MergedVatNumbers, mergeIncoming } from "./vat-numbers.store.server.ts";

/** The result of an import. */
export interface VatSummary extends VatFileCounts, MergedVatNumbers {
	/** The day of the file, yyyy-mm-dd. */
	asOf: string;
}

export interface VatImportOptions {
	/** yyyy-mm-dd, the day of the file; the default is the day when it was last written. */
	asOf?: string | undefined;
	/** Receives the completed fraction, 0 to 1, and the number of lines read. */
	onProgress?: (fraction: number, lines: number) => void;
}

/** The share of an import's duration at the end of reading. */
const readShare = 0.7;

/**
 * Imports the DGFiP's list of active VAT numbers in constant memory, in one transaction. It replaces the numbers of an earlier file.
 * @throws BrokenFile when the file cannot be read, was cut or holds other data; nothing is changed then.
 */
export async function importVatNumbers(
	connection: pg.ClientConfig,
	file: string,
	{ asOf = getFileDay(file), onProgress = () => {} }: VatImportOptions = {},
): Promise<VatSummary> {
	const client = new Client({ application_name: "extrait-pro import", ...connection });
	await client.connect();
	try {
		await configureSession(client);
		await client.query("begin; set local synchronous_commit = on");
		const counts: VatFileCounts = { read: 0, unreadable: 0 };
		await copyIncoming(
			client,
			readVatFile(file, counts, (fraction) => onProgress(readShare * fraction, counts.read)),
		);
		const merged = await mergeIncoming(client, asOf, new Date());
		await client.query("commit");
		onProgress(1, counts.read);
		return { ...counts, ...merged, asOf };
	} finally {
		await client.end(); // rolls back an open transaction
	}
}

interface VatFileCounts {
	/** Lines after the header. */
	read: number;
	/** Lines without a VAT number, which are skipped. */
	unreadable: number;
}

/** Bytes that are read before lines are split. */
const blockSize = 1 << 16;
const sampledLines = 1000;
/** Characters. A line of the file has thirty. */
const maxLineLength = 1 << 20;

/**
 * Reads a list of VAT numbers (.csv, .csv.gz, or a .zip with one .csv), block by block in constant memory.
 * @param counts is updated with each block. @param onProgress receives the fraction of the file, 0 to 1.
 * @throws BrokenFile, also during iteration: file missing, cut or damaged, or not a list of VAT numbers.
 */
async function* readVatFile(file: string, counts: VatFileCounts, onProgress: (fraction: number) => void): AsyncGenerator<VatEntry[]> {
	let format: VatFormat | null = null;
	let parse: ReturnType<typeof createVatParser> = () => null;
	let [shortest, longest] = [maxLineLength, 0];
	for await (const { lines, firstLine, unfinished, fraction } of readLines(file)) {
		if (format === null) {
			format = findVatFormat(lines.slice(0, sampledLines));
			if (format === null) throw new BrokenFile(file, "", describeOther(lines));
			parse = createVatParser(format);
			if (parse(lines[0] ?? "") === null) lines[0] = ""; // the header
		}
		const entries: VatEntry[] = [];
		for (const [index, line] of lines.entries()) {
			const length = line.trimEnd().length;
			if (length === 0) continue;
			const entry = parse(line);
			if (unfinished && index === lines.length - 1) {
				const isShort = entry ? shortest === longest && length < shortest : endsEarly(line, format);
				if (isShort) throw new BrokenFile(file, `line ${firstLine + index}`, "it is incomplete: the file was cut");
			}
			counts.read++;
			if (entry === null) {
				counts.unreadable++;
				continue;
			}
			entries.push(entry);
			shortest = Math.min(shortest, length);
			longest = Math.max(longest, length);
		}
		const sofar = { read: counts.read, faulty: counts.unreadable };
		const reason = "lines so far have no VAT number: it seems to be another file, or damaged";
		checkSkipped(file, `line ${firstLine + lines.length - 1}`, sofar, reason);
		onProgress(fraction);
		yield entries;
	}
	if (format === null) throw new BrokenFile(file, "", "it is empty");
}

/** Why a file is no list of VAT numbers. */
function describeOther(lines: readonly string[]): string {
	const start = lines.find((line) => line.trim() !== "")?.trimStart() ?? "";
	return start.startsWith("<") ? "it is a web page, not a list of VAT numbers" : "none of its columns holds French VAT numbers";
}

interface Lines {
	lines: string[];
	/** From 1. */
	firstLine: number;
	/** Whether the last line, at the end of the file, has no line break. */
	unfinished: boolean;
	fraction: number;
}

async function* readLines(file: string): AsyncGenerator<Lines> {
	const { chunks, fraction } = openFile(file, "csv");
	const decoder = new TextDecoder();
	let text = "";
	let firstLine = 1;
	const split = (unfinished: boolean): Lines => {
		const lines = text.split("\n");
		text = unfinished ? "" : (lines.pop() ?? "");
		const block = { lines, firstLine, unfinished, fraction: fraction() };
		firstLine += lines.length;
		return block;
	};
	try {
		for await (const chunk of chunks) {
			text += decoder.decode(chunk, { stream: true });
			if (text.length < blockSize) continue;
			const block = split(false);
			if (text.length > maxLineLength) throw new BrokenFile(file, `line ${firstLine}`, "it does not end: this is no list of VAT numbers");
			if (block.lines.length > 0) yield block;
		}
	} catch (error) {
		if (error instanceof BrokenFile) throw error;
		throw new BrokenFile(file, firstLine > 1 ? `after line ${firstLine - 1}` : "", toError(error).message);
	}
	if (text !== "") yield split(!text.endsWith("\n"));
}
