import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Trx } from "../../../server/database/database.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { insertOrder } from "../../../test/orders.ts";
import { deleteFiles, planFileDeletions } from "./delete-files.server.ts";
import { diskStorage } from "./disk-storage.server.ts";
import {
	anonymiseReplaceReasons,
	type DocumentType,
	deleteDocuments,
	findCurrentDocument,
	findDocument,
	findExtract,
	findExtractByHash,
	listDocuments,
	listDocumentsById,
	listExtracts,
	listExtractsByHash,
	listNeededPaths,
	listOpenings,
	listStoredDocuments,
	markPurged,
	markReplaced,
	recordOpening,
	type StoredDocument,
} from "./documents.store.server.ts";
import { insertDocument } from "./insert-document.server.ts";
import type { DocumentStorage } from "./storage.ts";

const folder = mkdtempSync(join(tmpdir(), "documents-"));
const storage = diskStorage(folder);
let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(async () => {
	await database?.close();
	rmSync(folder, { recursive: true });
});

const issuedAt = new Date("2026-11-20T09:00:00Z");
const hoursLater = (hours: number) => new Date(issuedAt.getTime() + hours * 3_600_000);
const inTransaction = <Result>(work: (trx: Trx) => Promise<Result>) => database.db.transaction().execute(work);
const newOrder = async () => (await insertOrder(database.db, { created_at: issuedAt, status: "completed", paid_at: issuedAt })).id;

let documentCount = 0;
/** Stores a file, unique by default, as a document of an order. */
async function storeDocument(
	orderId: string,
	type: DocumentType,
	{ now = hoursLater(1), content = `document ${++documentCount}` } = {},
): Promise<StoredDocument> {
	const stored = await storage.put(new TextEncoder().encode(content));
	return inTransaction((trx) => insertDocument(trx, { orderId, type, issuedAt, stored, now }));
}
const fileExists = ({ storage_path }: StoredDocument) => existsSync(join(folder, storage_path));

test("a document has its path, hash, size, and the dates of issue and storage", async () => {
	const orderId = await newOrder();
	const stored = await storage.put(new TextEncoder().encode("an invoice"));
	const { id } = await inTransaction((trx) => insertDocument(trx, { orderId, type: "invoice", issuedAt, stored, now: hoursLater(3) }));
	expect(await findDocument(database.db, id)).toEqual({
		...{ id, order_id: orderId, doc_type: "invoice", storage_path: stored.path, sha256: stored.sha256, bytes: 10 },
		...{ issued_at: issuedAt, created_at: hoursLater(3), purged_at: null, replaced_at: null, replaced_because: null },
	});
});

test("an order has one extract, distinct from its invoice and from other orders' extracts", async () => {
	const [orderId, other] = [await newOrder(), await newOrder()];
	await storeDocument(orderId, "invoice");
	await storeDocument(other, "kbis");
	expect(await findExtract(database.db, orderId)).toBeNull();
	const extract = await storeDocument(orderId, "kbis");
	await storeDocument(orderId, "credit_note");
	expect(await findExtract(database.db, orderId)).toEqual(extract);
	await expect(storeDocument(orderId, "kbis")).rejects.toThrow("documents_one_extract_per_order");
});

test("an order's documents are listed newest first", async () => {
	const orderId = await newOrder();
	await storeDocument(await newOrder(), "invoice", { now: hoursLater(2) });
	const [second, third, first] = [
		await storeDocument(orderId, "invoice", { now: hoursLater(2) }),
		await storeDocument(orderId, "credit_note", { now: hoursLater(3) }),
		await storeDocument(orderId, "kbis", { now: hoursLater(1) }),
	];
	expect(await listDocuments(database.db, orderId)).toEqual([third, second, first]);
	// documents of the same instant always have the same order
	const twins = await Promise.all(Array.from({ length: 8 }, () => storeDocument(orderId, "credit_note", { now: hoursLater(4) })));
	const byId = twins.map(({ id }) => id).sort();
	expect((await listDocuments(database.db, orderId)).slice(0, 8).map(({ id }) => id)).toEqual(byId.reverse());
});

test("finds an extract of any order by its hash, even after its file is purged; does not find an invoice", async () => {
	const orderId = await newOrder();
	const invoice = await storeDocument(orderId, "invoice");
	expect(await findExtractByHash(database.db, invoice.sha256)).toBeNull();
	const extract = await storeDocument(orderId, "kbis");
	await storeDocument(await newOrder(), "kbis");
	await inTransaction((trx) => markPurged(trx, [extract.id], hoursLater(5)));
	expect(await findExtractByHash(database.db, extract.sha256)).toMatchObject({ id: extract.id, purged_at: hoursLater(5) });
});

/** Replaces the extract of an order by another one. @returns the new one. */
async function replaceExtract({ id, order_id }: StoredDocument, now: Date, content?: string): Promise<StoredDocument> {
	await inTransaction((trx) => markReplaced(trx, id, { because: "the wrong company", now }));
	return storeDocument(order_id, "kbis", { now, content });
}

test("a replaced extract keeps its row and its reason; the new one is current", async () => {
	const [orderId, otherId] = [await newOrder(), await newOrder()];
	const [old, other, invoice] = [
		await storeDocument(orderId, "kbis"),
		await storeDocument(otherId, "kbis"),
		await storeDocument(orderId, "invoice"),
	];
	const current = await replaceExtract(old, hoursLater(6));
	expect(await findDocument(database.db, old.id)).toEqual({ ...old, replaced_at: hoursLater(6), replaced_because: "the wrong company" });
	expect(await findDocument(database.db, other.id)).toEqual(other);
	for (const { id } of [old, current]) expect(await findCurrentDocument(database.db, id)).toEqual(current);
	expect(await findCurrentDocument(database.db, invoice.id)).toEqual(invoice);
	expect(await findCurrentDocument(database.db, randomUUID())).toBeNull();
	expect(await findExtract(database.db, orderId)).toEqual(current);
	expect(await findExtractByHash(database.db, old.sha256)).toBeNull();
	const extracts = await listExtracts(database.db, [orderId, otherId]);
	expect(extracts.map(({ id }) => id).sort()).toEqual([current.id, other.id].sort());
	await inTransaction((trx) => anonymiseReplaceReasons(trx, [otherId]));
	expect(await findDocument(database.db, old.id)).toMatchObject({ replaced_because: "the wrong company" });
	await inTransaction((trx) => anonymiseReplaceReasons(trx, [orderId]));
	expect(await findDocument(database.db, old.id)).toMatchObject({ replaced_at: hoursLater(6), replaced_because: null });
});

test("of extracts with the same bytes, the current ones are listed first, then the last replaced; ten at most", async () => {
	const content = "the same extract";
	const store = async (now: Date) => storeDocument(await newOrder(), "kbis", { now, content });
	const [replacedFirst, replacedLast, newer, older] = [
		await store(hoursLater(1)),
		await store(hoursLater(1)),
		await store(hoursLater(3)),
		await store(hoursLater(2)),
	];
	await storeDocument(await newOrder(), "invoice", { content });
	await replaceExtract(replacedFirst, hoursLater(6));
	await replaceExtract(replacedLast, hoursLater(7));
	await inTransaction((trx) => markPurged(trx, [older.id], hoursLater(8)));
	const listIds = async () => (await listExtractsByHash(database.db, older.sha256)).map(({ id }) => id);
	expect(await listIds()).toEqual([older.id, newer.id, replacedLast.id, replacedFirst.id]);
	const twins = await Promise.all(Array.from({ length: 8 }, () => store(hoursLater(4))));
	expect(await listIds()).toEqual([older.id, newer.id, ...twins.map(({ id }) => id).sort()]);
});

test("documents are listed by their ids, and those of orders as long as their files are stored", async () => {
	const [orderId, otherId] = [await newOrder(), await newOrder()];
	const [extract, invoice, other] = [
		await storeDocument(orderId, "kbis"),
		await storeDocument(orderId, "invoice"),
		await storeDocument(otherId, "kbis"),
	];
	expect(await listDocumentsById(database.db, [invoice.id])).toEqual([invoice]);
	expect((await listDocumentsById(database.db, [extract.id, other.id])).map(({ id }) => id).sort()).toEqual([extract.id, other.id].sort());
	expect(await listDocumentsById(database.db, [])).toEqual([]);
	await inTransaction((trx) => markPurged(trx, [extract.id], hoursLater(5)));
	expect(await inTransaction((trx) => listStoredDocuments(trx, [orderId]))).toEqual([invoice]);
});

test("a path is needed once, by any document whose file is stored and that is not excepted", async () => {
	const content = "needed";
	const [one, other] = [
		await storeDocument(await newOrder(), "kbis", { content }),
		await storeDocument(await newOrder(), "kbis", { content }),
	];
	const apart = await storeDocument(await newOrder(), "kbis");
	const list = (except: StoredDocument[], paths = [one.storage_path]) =>
		inTransaction((trx) =>
			listNeededPaths(
				trx,
				paths,
				except.map(({ id }) => id),
			),
		);
	expect(await list([])).toEqual([one.storage_path]);
	expect(await list([one])).toEqual([one.storage_path]);
	expect(await list([one, other])).toEqual([]);
	expect(await list([], [apart.storage_path])).toEqual([apart.storage_path]);
	await inTransaction((trx) => markPurged(trx, [other.id], hoursLater(5)));
	expect(await list([one])).toEqual([]);
});

test("openings are counted by day in Paris, and listed oldest first", async () => {
	const [document, other] = [await storeDocument(await newOrder(), "kbis"), await storeDocument(await newOrder(), "kbis")];
	const [first, last, next] = ["2026-11-20T09:00:00Z", "2026-11-20T22:59:00Z", "2026-11-20T23:00:00Z"].map((at) => new Date(at)) as [
		Date,
		Date,
		Date,
	];
	await recordOpening(database.db, document.id, next);
	for (const now of [first, last]) await recordOpening(database.db, document.id, now);
	await recordOpening(database.db, other.id, first);
	expect(await listOpenings(database.db, document.id)).toEqual([
		{ first_at: first, last_at: last, count: 2 },
		{ first_at: next, last_at: next, count: 1 },
	]);
});

describe("purging files", () => {
	/** Purges documents in one batch. @returns the orders whose files were not all deleted. */
	const purge = (documents: StoredDocument[], from: DocumentStorage = storage) =>
		inTransaction(async (trx) => {
			const files = documents.map(({ id, order_id, storage_path }) => ({ orderId: order_id, path: storage_path, documentId: id }));
			const { failed, fault } = await deleteFiles(await planFileDeletions(from, trx, files, []));
			const purged = documents.filter(({ order_id }) => !failed.has(order_id));
			await markPurged(
				trx,
				purged.map(({ id }) => id),
				hoursLater(5),
			);
			return { failed: [...failed].sort(), fault };
		});
	const purgedAt = async ({ id }: StoredDocument) => (await findDocument(database.db, id))?.purged_at;

	test("deletes a file with the last document that needs it; the rows keep the date of the first purge", async () => {
		const content = "shared";
		const [one, other] = [
			await storeDocument(await newOrder(), "kbis", { content }),
			await storeDocument(await newOrder(), "kbis", { content }),
		];
		const apart = await storeDocument(await newOrder(), "kbis");
		expect(other.storage_path).toBe(one.storage_path);
		await purge([one, apart]);
		expect([fileExists(one), fileExists(apart)]).toEqual([true, false]);
		expect([await purgedAt(one), await purgedAt(other)]).toEqual([hoursLater(5), null]);
		await inTransaction((trx) => markPurged(trx, [one.id], hoursLater(10)));
		expect(await findDocument(database.db, one.id)).toEqual({ ...one, purged_at: hoursLater(5) });
		await purge([other]);
		expect(fileExists(one)).toBe(false);
	});

	test("deletes the file of an upload, unless a document or another upload needs it", async () => {
		const orderId = await newOrder();
		const needed = await storeDocument(await newOrder(), "kbis");
		const [uploaded, other] = [
			await storage.put(new TextEncoder().encode("uploaded")),
			await storage.put(new TextEncoder().encode("other")),
		];
		const files = [needed.storage_path, uploaded.path, other.path].map((path) => ({ orderId, path, documentId: null }));
		const planned = await inTransaction((trx) => planFileDeletions(storage, trx, files, [other.path]));
		expect(planned.map(({ orderIds }) => orderIds)).toEqual([[orderId]]);
		await deleteFiles(planned);
		const paths = [needed.storage_path, uploaded.path, other.path];
		expect(paths.map((path) => existsSync(join(folder, path)))).toEqual([true, false, true]);
	});

	test("deletes a file shared by two documents of a batch once", async () => {
		const content = "shared in a batch";
		const both = [
			await storeDocument(await newOrder(), "kbis", { content }),
			await storeDocument(await newOrder(), "invoice", { content }),
		];
		const deletedPaths: string[] = [];
		await purge(both, { ...storage, remove: async (path) => void deletedPaths.push(path) });
		expect(deletedPaths).toEqual([both[0]?.storage_path]);
	});

	test("continues after a file that cannot be deleted; its orders stay unchanged until a retry", async () => {
		const content = "stuck";
		const stuck = [await storeDocument(await newOrder(), "kbis", { content }), await storeDocument(await newOrder(), "kbis", { content })];
		const free = await Promise.all(Array.from({ length: 70 }, async () => storeDocument(await newOrder(), "kbis")));
		const [first] = stuck;
		const failing = {
			...storage,
			remove: (path: string) =>
				path === first?.storage_path ? Promise.reject(new Error("the disk is unavailable")) : storage.remove(path),
		};
		const outcome = await purge([...stuck, ...free], failing);
		expect(outcome).toEqual({ failed: stuck.map(({ order_id }) => order_id).sort(), fault: new Error("the disk is unavailable") });
		for (const document of stuck) expect([fileExists(document), await purgedAt(document)]).toEqual([true, null]);
		for (const document of free) expect(fileExists(document)).toBe(false);
		expect(await purge(stuck)).toEqual({ failed: [] });
		expect(stuck.map(fileExists)).toEqual([false, false]);
	});

	test("deletes 32 files at a time", async () => {
		const documents = await Promise.all(Array.from({ length: 70 }, async () => storeDocument(await newOrder(), "kbis")));
		let [running, maxRunning] = [0, 0];
		const slow = {
			...storage,
			async remove() {
				maxRunning = Math.max(maxRunning, ++running);
				await new Promise(setImmediate);
				running--;
			},
		};
		await purge(documents, slow);
		expect(maxRunning).toBe(32);
	});
});

test("deletes the documents of one order only", async () => {
	const [orderId, other] = [await newOrder(), await newOrder()];
	await storeDocument(orderId, "kbis");
	await storeDocument(orderId, "invoice");
	const otherDocument = await storeDocument(other, "kbis");
	await inTransaction((trx) => deleteDocuments(trx, [orderId]));
	expect(await listDocuments(database.db, orderId)).toEqual([]);
	expect(await listDocuments(database.db, other)).toEqual([otherDocument]);
});
