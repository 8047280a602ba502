import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { LostFile, type StorageContext } from "../../orders/documents/storage.ts";
import { lockOrders } from "../../orders/orders.store.server.ts";
import { runConfined } from "../extracts/inspect-pdf.server.ts";
import type { Letter } from "./letter.ts";
import { drawLetterSheets } from "./letter-sheets.server.ts";
import { insertRun, listLetters, listOpenRuns, markRun, updatePrinted } from "./letters.store.server.ts";
import { type JoinedLetters, packFiles } from "./packed-files.ts";

/** Letters of one PDF at most, and bytes of their extracts. */
export const maxLetters = 50;
const maxBytes = 30 * 2 ** 20;

export type PrintOutcome =
	| {
			ok: true;
			pdf: Uint8Array<ArrayBuffer>;
			/** The orders whose letters are in the PDF, in the order of its pages. */
			printed: Letter[];
			/** The orders whose extract is missing or cannot be read: their letters are not in the PDF. */
			failed: Letter[];
			/** How many letters did not fit into this PDF. */
			left: number;
	  }
	/** `none`: no letter of these orders is to be printed. `unreadable`: no extract could be read. */
	| { ok: false; code: "none" | "unreadable" };

/** Makes one PDF of letters: for each order the sheet with its address in the envelope's window, then its extract. Changes nothing. */
export async function printLetters(context: StorageContext, orderIds: readonly string[]): Promise<PrintOutcome> {
	const { db, storage, now } = context;
	const letters = await listLetters(db, orderIds);
	const found: { letter: Letter; bytes: Uint8Array }[] = [];
	const failed: Letter[] = [];
	let size = 0;
	let tried = 0;
	for (const letter of letters.slice(0, maxLetters)) {
		const bytes = letter.extractPath === null ? null : await readFile(storage, letter.extractPath);
		if (bytes && found.length > 0 && size + bytes.length > maxBytes) break;
		tried++;
		if (bytes === null) failed.push(letter);
		else found.push({ letter, bytes });
		size += bytes?.length ?? 0;
	}
	if (letters.length === 0) return { ok: false, code: "none" };
	if (found.length === 0) return { ok: false, code: "unreadable" };
	const sheets = await drawLetterSheets(
		found.map(({ letter }) => letter),
		context,
		now(),
	);
	const joined = await joinLetters(
		sheets,
		found.map(({ bytes }) => bytes),
	);
	if (joined === null || joined.unreadable.length === found.length) return { ok: false, code: "unreadable" };
	const isReadable = (_: unknown, index: number) => !joined.unreadable.includes(index);
	return {
		ok: true,
		pdf: joined.pdf,
		printed: found.filter(isReadable).map(({ letter }) => letter),
		failed: [...failed, ...found.filter((each, index) => !isReadable(each, index)).map(({ letter }) => letter)],
		left: letters.length - tried,
	};
}

/** @returns null when the storage has lost the file. */
async function readFile(storage: StorageContext["storage"], path: string): Promise<Uint8Array | null> {
	try {
		return await storage.get(path);
	} catch (error) {
		if (error instanceof LostFile) return null;
		throw error;
	}
}

/**
 * Remembers which letters an operator has just made a PDF of, until they say that it is printed (`markPrinted`). A letter whose address was
 * corrected while the PDF was made stays to be printed.
 */
export async function recordRun(
	{ db, now }: Pick<StorageContext, "db" | "now">,
	{ operatorId, letters }: { operatorId: string; letters: readonly Letter[] },
): Promise<void> {
	await db.transaction().execute(async (trx) => {
		const ids = letters.map(({ orderId }) => orderId);
		await lockOrders(trx, ids, { skipLocked: false });
		const addresses = new Map((await listLetters(trx, ids)).map(({ orderId, address }) => [orderId, JSON.stringify(address)]));
		const isUnchanged = ({ orderId, address }: Letter) => addresses.get(orderId) === JSON.stringify(address);
		await insertRun(trx, { id: randomUUID(), operatorId, madeAt: now(), letters: letters.filter(isUnchanged) });
	});
}

export type MarkOutcome =
	/** `orders`: the numbers of the letters that were not marked before. */
	| { ok: true; orders: string[] }
	/** `no-run`: no PDF was downloaded. `several-runs`: the operator has to say which one is printed. */
	| { ok: false; code: "no-run" | "several-runs" };

/**
 * Records that the letters of a PDF were printed: those that were in it, with the extract that it had.
 * @param runId the PDF; null for the operator's only one.
 */
export function markPrinted(
	{ db, now }: Pick<StorageContext, "db" | "now">,
	{ operatorId, runId }: { operatorId: string; runId: string | null },
): Promise<MarkOutcome> {
	return db.transaction().execute(async (trx): Promise<MarkOutcome> => {
		const runs = runId === null ? await listOpenRuns(trx, operatorId, now()) : [];
		if (runs.length > 1) return { ok: false, code: "several-runs" };
		const id = runId ?? runs[0]?.id;
		if (id === undefined || !(await markRun(trx, { id, operatorId, now: now() }))) return { ok: false, code: "no-run" };
		return { ok: true, orders: await updatePrinted(trx, id, now()) };
	});
}

/** In milliseconds of processor time. */
const maxCpuMs = 20_000;

/**
 * Joins sheets and extracts to one PDF for the printer, each extract after its sheet, in a process that may only read. The stored extracts
 * stay as they are.
 * @returns the PDF and the positions of extracts that cannot be read; null when the files took too much time or memory.
 */
async function joinLetters(
	sheets: Uint8Array,
	extracts: readonly Uint8Array[],
): Promise<{ pdf: Uint8Array<ArrayBuffer>; unreadable: number[] } | null> {
	const resolve = createRequire(import.meta.url).resolve;
	const program = resolve("#app/fulfilment/letters/letters-joiner.server.ts");
	const fulfilment = dirname(dirname(program));
	const modules = dirname(dirname(dirname(resolve("pdf-lib"))));
	const readable = [
		...[dirname(program), join(fulfilment, "extracts"), join(fulfilment, "../../package.json")],
		...["pdf-lib", "@pdf-lib", "pako", "tslib"].map((name) => join(modules, name)),
	];
	const output = await runConfined(program, { readable, input: packFiles([sheets, ...extracts]), maxCpuMs, maxOutputBytes: 64 * 2 ** 20 });
	if (output === null) return null;
	const { pdf, unreadable }: JoinedLetters = JSON.parse(output);
	return { pdf: Buffer.from(pdf, "base64"), unreadable };
}
