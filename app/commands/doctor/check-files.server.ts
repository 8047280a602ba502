import { sql } from "kysely";
import type { Database } from "../../../server/database/database.ts";
import { hour } from "../../../server/durations.ts";
import { forEachConcurrent } from "../../../server/for-each-concurrent.ts";
import { type DocumentStorage, LostFile } from "../../orders/documents/storage.ts";
import { type Check, createResult, formatCount } from "./check.ts";

const maxConcurrentReads = 16;
const pageSize = 1000;

/** Milliseconds. The row of a newer file may not be committed yet. */
const minFileAgeMs = hour;

/** The paths of the shop's documents. The bucket may hold other objects. */
const documentPath = /^[0-9a-f]{2}\/[0-9a-f]{64}\.pdf$/;

export const fileChecks: Check[] = [
	{
		name: "files",
		what: "Files of documents",
		how: "every stored document is read, and its SHA-256 compared",
		todo: "Restore the file from the backup of the storage. The file of an extract can also be dropped again on the page of its order at the desk.",
		async examine(context) {
			const { db, storage, sample } = context;
			const total = sample ?? (await countFiles(db));
			const showProgress = context.startProgress("Files");
			const problems: string[] = [];
			let done = 0;
			await forEachConcurrent(maxConcurrentReads, sample === undefined ? everyFile(db) : someFiles(db, sample), async ({ path, named }) => {
				await storage.get(path).catch((error: Error) => problems.push(`${named}: ${formatStorageError(error)}`));
				done++;
				if (done % pageSize === 0) showProgress(done / total, done);
			});
			if (done >= pageSize) showProgress(1, done);
			return createResult(formatCount(done, "file read", "files read"), ...problems.sort());
		},
	},
	{
		name: "unnamed-files",
		what: "Files without a document",
		how: "every file in the storage belongs to a stored document",
		todo: "Delete it only if no copy of an order (orders/) and no number (invoices/) names it.",
		async examine({ db, storage, now }) {
			const unnamed: string[] = [];
			let seen = 0;
			let batch: string[] = [];
			const checkBatch = async () => {
				unnamed.push(...(await listUnnamed(db, batch)));
				batch = [];
			};
			for await (const { path, at } of storage.list()) {
				if (!documentPath.test(path) || at.getTime() > now().getTime() - minFileAgeMs) continue;
				seen++;
				if (batch.push(path) === pageSize) await checkBatch();
			}
			await checkBatch();
			// after a restore, an issued invoice may have no row, but the object of its number names its PDF
			const numberedPdfs = unnamed.length > 0 ? await listPdfsOfNumbers(db, storage) : new Set();
			const problems = unnamed.filter((path) => !numberedPdfs.has(path)).map((path) => `${path} belongs to no document.`);
			return createResult(formatCount(seen, "file"), ...problems);
		},
	},
];

interface DocumentFile {
	path: string;
	/** Names the document and the order for the operator. */
	named: string;
}

/**
 * Selects the files of stored documents and of uploaded extracts after a path, each once. Two documents may share a file, so each half
 * counts files, not rows.
 */
const keptFiles = (after: string, limit: number | null) => sql<DocumentFile>`
	select distinct on (path) path, named from (
		(select distinct on (storage_path) documents.storage_path as path, concat(
			case doc_type when 'kbis' then 'Extract' when 'invoice' then 'Invoice' else 'Credit note' end, ' ', documents.id, ', order ', order_number) as named
		from documents join orders on orders.id = documents.order_id
		where documents.purged_at is null and storage_path > ${after} order by storage_path limit ${limit})
		union all
		(select distinct on (storage_path) storage_path, concat('Uploaded extract, order ', order_number)
		from extract_requests join orders on orders.id = extract_requests.order_id
		where storage_path > ${after} order by storage_path limit ${limit})
	) both_tables order by path limit ${limit}`;

async function countFiles(db: Database): Promise<number> {
	const { rows } = await sql<{ n: number }>`select count(*)::integer as n from (${keptFiles("", null)}) kept`.execute(db);
	return rows[0]?.n ?? 0;
}

/** @param size the files per query; fewer in tests. */
export async function* everyFile(db: Database, size = pageSize): AsyncGenerator<DocumentFile> {
	for (let after = ""; ; ) {
		const { rows } = await keptFiles(after, size).execute(db);
		const last = rows.at(-1);
		if (last === undefined) return;
		yield* rows;
		after = last.path;
	}
}

async function* someFiles(db: Database, sample: number): AsyncGenerator<DocumentFile> {
	yield* (await sql<DocumentFile>`select * from (${keptFiles("", null)}) kept order by random() limit ${sample}`.execute(db)).rows;
}

async function listUnnamed(db: Database, paths: readonly string[]): Promise<string[]> {
	const { rows } = await sql<{ path: string }>`
		select path from unnest(${paths}::text[]) path
		where not exists (select from documents where storage_path = path and purged_at is null)
			and not exists (select from extract_requests where sha256 = substring(path from '/(.*)[.]pdf$') and storage_path = path)`.execute(db);
	return rows.map(({ path }) => path);
}

/**
 * Lists the PDFs of issued numbers without an invoice with a PDF in this database (app/orders/invoices/issued-numbers). Only these objects are
 * read, because the storage has one for each invoice of ten years.
 */
async function listPdfsOfNumbers(db: Database, storage: DocumentStorage): Promise<Set<string>> {
	const pdfs = new Set<string>();
	let names: string[] = [];
	const read = async () => {
		const { rows } = await sql<{ name: string }>`
			select name from unnest(${names}::text[]) name
			where not exists (select from invoices where number = substring(name from '[^/]*$') and document_id is not null)`.execute(db);
		await forEachConcurrent(maxConcurrentReads, rows, async ({ name }) => {
			const object = await storage.findObject(name);
			const pdf = object && /"pdf":"([^"]+)"/.exec(Buffer.from(object).toString())?.[1];
			if (pdf) pdfs.add(pdf);
		});
		names = [];
	};
	for await (const { path } of storage.list("invoices/")) if (names.push(path) === pageSize) await read();
	await read();
	return pdfs;
}

/** Formats an error of the storage for the operator. */
function formatStorageError(error: Error): string {
	if (!(error instanceof LostFile)) return `the file cannot be read (${error.name}).`;
	return error.message.includes("has not the content") ? "the file was altered (its digest differs)." : "the file is missing.";
}
