import { sql } from "kysely";
import type { Database } from "../../server/database/database.ts";
import { forEachConcurrent } from "../../server/for-each-concurrent.ts";
import { type DocumentStorage, LostFile } from "../documents/storage.ts";
import { type Check, count, found } from "./check.ts";

const mostAtOnce = 16;
const page = 1000;

/** Milliseconds: what was stored since may be about to be named by its row. */
const justStored = 3_600_000;

/** The files that the shop keeps: what else lies in the same bucket is not its own. */
const keptFile = /^[0-9a-f]{2}\/[0-9a-f]{64}\.pdf$/;

export const fileChecks: Check[] = [
	{
		name: "files",
		what: "Fichiers des documents",
		how: "chaque document conservé est relu, et son empreinte SHA-256 comparée",
		todo: "Restaurez ce fichier depuis la sauvegarde du stockage\u00a0; un extrait peut aussi être déposé de nouveau\u00a0: npm run orders -- replace-extract.",
		async examine(of) {
			const { db, storage, sample } = of;
			const total = sample ?? (await countFiles(db));
			const draw = of.startProgress("Fichiers");
			const problems: string[] = [];
			let done = 0;
			await forEachConcurrent(mostAtOnce, sample === undefined ? everyFile(db) : someFiles(db, sample), async ({ path, named }) => {
				await storage.get(path).catch((error: Error) => problems.push(`${named}\u00a0: ${whyUnread(error)}`));
				done++;
				if (done % page === 0) draw(done / total, done);
			});
			if (done >= page) draw(1, done);
			return found(`${count(done, "fichier relu", "fichiers relus")}`, ...problems.sort());
		},
	},
	{
		name: "unnamed-files",
		what: "Fichiers sans document",
		how: "chaque fichier du stockage est cherché parmi les documents conservés",
		todo: "Ne le supprimez que si aucune copie de commande (orders/) ni aucun numéro (invoices/) ne le nomme.",
		async examine({ db, storage, now }) {
			const unnamed: string[] = [];
			let seen = 0;
			let batch: string[] = [];
			const look = async () => {
				unnamed.push(...(await listUnnamed(db, batch)));
				batch = [];
			};
			for await (const { path, at } of storage.list()) {
				if (!keptFile.test(path) || at.getTime() > now().getTime() - justStored) continue;
				seen++;
				if (batch.push(path) === page) await look();
			}
			await look();
			// after a restore, an invoice that left may have no row; its number's object still names its PDF
			const ofNumbers = unnamed.length > 0 ? await listPdfsOfNumbers(db, storage) : new Set();
			const problems = unnamed.filter((path) => !ofNumbers.has(path)).map((path) => `${path} n’appartient à aucun document.`);
			return found(count(seen, "fichier"), ...problems);
		},
	},
];

interface KeptFile {
	path: string;
	/** Whose it is, for the operator. */
	named: string;
}

/**
 * The files of kept documents, and of extracts as they were handed in: each once, in the order of their paths, after `after`. Two documents
 * may share a file, so each half counts files and not rows: a page of rows may hold one file only.
 */
const keptFiles = (after: string, limit: number | null) => sql<KeptFile>`
	select distinct on (path) path, named from (
		(select distinct on (storage_path) documents.storage_path as path, concat(
			case doc_type when 'kbis' then 'Extrait' when 'invoice' then 'Facture' else 'Avoir' end, ' ', documents.id, ', commande ', order_number) as named
		from documents join orders on orders.id = documents.order_id
		where documents.purged_at is null and storage_path > ${after} order by storage_path limit ${limit})
		union all
		(select distinct on (storage_path) storage_path, concat('Extrait déposé, commande ', order_number)
		from extract_requests join orders on orders.id = extract_requests.order_id
		where storage_path > ${after} order by storage_path limit ${limit})
	) both_tables order by path limit ${limit}`;

async function countFiles(db: Database): Promise<number> {
	const { rows } = await sql<{ n: number }>`select count(*)::integer as n from (${keptFiles("", null)}) kept`.execute(db);
	return rows[0]?.n ?? 0;
}

/** @param size how many files are asked for at once: fewer in tests. */
export async function* everyFile(db: Database, size = page): AsyncGenerator<KeptFile> {
	for (let after = ""; ; ) {
		const { rows } = await keptFiles(after, size).execute(db);
		const last = rows.at(-1);
		if (last === undefined) return;
		yield* rows;
		after = last.path;
	}
}

async function* someFiles(db: Database, sample: number): AsyncGenerator<KeptFile> {
	yield* (await sql<KeptFile>`select * from (${keptFiles("", null)}) kept order by random() limit ${sample}`.execute(db)).rows;
}

async function listUnnamed(db: Database, paths: readonly string[]): Promise<string[]> {
	const { rows } = await sql<{ path: string }>`
		select path from unnest(${paths}::text[]) path
		where not exists (select from documents where storage_path = path and purged_at is null)
			and not exists (select from extract_requests where sha256 = substring(path from '/(.*)[.]pdf$') and storage_path = path)`.execute(db);
	return rows.map(({ path }) => path);
}

/**
 * The PDFs of numbers that were issued and that this database has no invoice with a PDF for (app/invoices/issued-numbers). Only these
 * objects are read: a storage has one for each invoice of ten years.
 */
async function listPdfsOfNumbers(db: Database, storage: DocumentStorage): Promise<Set<string>> {
	const pdfs = new Set<string>();
	let names: string[] = [];
	const read = async () => {
		const { rows } = await sql<{ name: string }>`
			select name from unnest(${names}::text[]) name
			where not exists (select from invoices where number = substring(name from '[^/]*$') and document_id is not null)`.execute(db);
		await forEachConcurrent(mostAtOnce, rows, async ({ name }) => {
			const object = await storage.findObject(name);
			const pdf = object && /"pdf":"([^"]+)"/.exec(Buffer.from(object).toString())?.[1];
			if (pdf) pdfs.add(pdf);
		});
		names = [];
	};
	for await (const { path } of storage.list("invoices/")) if (names.push(path) === page) await read();
	await read();
	return pdfs;
}

/** An error of the storage in the operator's words. */
function whyUnread(error: Error): string {
	if (!(error instanceof LostFile)) return `le fichier ne se lit pas (${error.name}).`;
	return error.message.includes("has not the content") ? "le fichier est altéré, son empreinte a changé." : "le fichier manque.";
}
