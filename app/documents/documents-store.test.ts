import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Trx } from "../../server/database/database.ts";
import { createTestDatabase } from "../../test/database.ts";
import { insertOrder } from "../../test/orders.ts";
import { deleteFiles, planFileDeletions } from "./delete-files.server.ts";
import { diskStorage } from "./disk-storage.server.ts";
import {
	type DocumentType,
	deleteDocuments,
	findDocument,
	findExtract,
	findExtractByHash,
	listDocuments,
	markPurged,
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
const hour = (hours: number) => new Date(issuedAt.getTime() + hours * 3_600_000);
const inTransaction = <Result>(work: (trx: Trx) => Promise<Result>) => database.db.transaction().execute(work);
const newOrder = async () => (await insertOrder(database.db, { created_at: issuedAt, status: "completed", paid_at: issuedAt })).id;

let made = 0;
/** A document whose file is stored, like no other unless `content` is given. */
async function keep(orderId: string, type: DocumentType, { now = hour(1), content = `document ${++made}` } = {}): Promise<StoredDocument> {
	const stored = await storage.put(new TextEncoder().encode(content));
	return inTransaction((trx) => insertDocument(trx, { orderId, type, issuedAt, stored, now }));
}
const isThere = ({ storage_path }: StoredDocument) => existsSync(join(folder, storage_path));

test("a document is kept with its place, its hash, its size, and when it was issued and kept", async () => {
	const orderId = await newOrder();
	const stored = await storage.put(new TextEncoder().encode("an invoice"));
	const { id } = await inTransaction((trx) => insertDocument(trx, { orderId, type: "invoice", issuedAt, stored, now: hour(3) }));
	expect(await findDocument(database.db, id)).toEqual({
		...{ id, order_id: orderId, doc_type: "invoice", storage_path: stored.path, sha256: stored.sha256, bytes: 10 },
		...{ issued_at: issuedAt, created_at: hour(3), purged_at: null, replaced_at: null, replaced_because: null },
	});
});

test("an order has one extract, which is not another order's, nor its invoice", async () => {
	const [orderId, other] = [await newOrder(), await newOrder()];
	await keep(orderId, "invoice");
	await keep(other, "kbis");
	expect(await findExtract(database.db, orderId)).toBeNull();
	const extract = await keep(orderId, "kbis");
	await keep(orderId, "credit_note");
	expect(await findExtract(database.db, orderId)).toEqual(extract);
	await expect(keep(orderId, "kbis")).rejects.toThrow("documents_one_extract_per_order");
});

test("an order's documents are listed newest first", async () => {
	const orderId = await newOrder();
	await keep(await newOrder(), "invoice", { now: hour(2) });
	const [second, third, first] = [
		await keep(orderId, "invoice", { now: hour(2) }),
		await keep(orderId, "credit_note", { now: hour(3) }),
		await keep(orderId, "kbis", { now: hour(1) }),
	];
	expect(await listDocuments(database.db, orderId)).toEqual([third, second, first]);
	// of one instant, in the same order each time
	const twins = await Promise.all(Array.from({ length: 8 }, () => keep(orderId, "credit_note", { now: hour(4) })));
	const byId = twins.map(({ id }) => id).sort();
	expect((await listDocuments(database.db, orderId)).slice(0, 8).map(({ id }) => id)).toEqual(byId.reverse());
});

test("an extract is found by its hash, whatever its order, also once its file is gone; an invoice is not", async () => {
	const orderId = await newOrder();
	const invoice = await keep(orderId, "invoice");
	expect(await findExtractByHash(database.db, invoice.sha256)).toBeNull();
	const extract = await keep(orderId, "kbis");
	await keep(await newOrder(), "kbis");
	await inTransaction((trx) => markPurged(trx, [extract.id], hour(5)));
	expect(await findExtractByHash(database.db, extract.sha256)).toMatchObject({ id: extract.id, purged_at: hour(5) });
});

describe("files are removed", () => {
	/** Together, as of one batch. @returns the orders that something is left of. */
	const remove = (documents: StoredDocument[], from: DocumentStorage = storage) =>
		inTransaction(async (trx) => {
			const files = documents.map(({ id, order_id, storage_path }) => ({ orderId: order_id, path: storage_path, documentId: id }));
			const { failed, fault } = await deleteFiles(await planFileDeletions(from, trx, files, []));
			const gone = documents.filter(({ order_id }) => !failed.has(order_id));
			await markPurged(
				trx,
				gone.map(({ id }) => id),
				hour(5),
			);
			return { failed: [...failed].sort(), fault };
		});
	const purgedAt = async ({ id }: StoredDocument) => (await findDocument(database.db, id))?.purged_at;

	test("with the last document that needs them; the rows stay, with the first hour at which they went", async () => {
		const content = "shared";
		const [one, other] = [await keep(await newOrder(), "kbis", { content }), await keep(await newOrder(), "kbis", { content })];
		const apart = await keep(await newOrder(), "kbis");
		expect(other.storage_path).toBe(one.storage_path);
		await remove([one, apart]);
		expect([isThere(one), isThere(apart)]).toEqual([true, false]);
		expect([await purgedAt(one), await purgedAt(other)]).toEqual([hour(5), null]);
		await inTransaction((trx) => markPurged(trx, [one.id], hour(10)));
		expect(await findDocument(database.db, one.id)).toEqual({ ...one, purged_at: hour(5) });
		await remove([other]);
		expect(isThere(one)).toBe(false);
	});

	test("once, where two documents of a batch share one", async () => {
		const content = "shared in a batch";
		const both = [await keep(await newOrder(), "kbis", { content }), await keep(await newOrder(), "invoice", { content })];
		const asked: string[] = [];
		await remove(both, { ...storage, remove: async (path) => void asked.push(path) });
		expect(asked).toEqual([both[0]?.storage_path]);
	});

	test("past one that the storage does not let go of: all its orders are as they were, and the same is done again", async () => {
		const content = "stuck";
		const stuck = [await keep(await newOrder(), "kbis", { content }), await keep(await newOrder(), "kbis", { content })];
		const free = await Promise.all(Array.from({ length: 70 }, async () => keep(await newOrder(), "kbis")));
		const [first] = stuck;
		const failing = {
			...storage,
			remove: (path: string) => (path === first?.storage_path ? Promise.reject(new Error("the disk is away")) : storage.remove(path)),
		};
		const outcome = await remove([...stuck, ...free], failing);
		expect(outcome).toEqual({ failed: stuck.map(({ order_id }) => order_id).sort(), fault: new Error("the disk is away") });
		for (const document of stuck) expect([isThere(document), await purgedAt(document)]).toEqual([true, null]);
		for (const document of free) expect(isThere(document)).toBe(false);
		expect(await remove(stuck)).toEqual({ failed: [] });
		expect(stuck.map(isThere)).toEqual([false, false]);
	});

	test("32 at a time", async () => {
		const documents = await Promise.all(Array.from({ length: 70 }, async () => keep(await newOrder(), "kbis")));
		let [now, most] = [0, 0];
		const slow = {
			...storage,
			async remove() {
				most = Math.max(most, ++now);
				await new Promise(setImmediate);
				now--;
			},
		};
		await remove(documents, slow);
		expect(most).toBe(32);
	});
});

test("an order's documents are deleted, and no other's", async () => {
	const [orderId, other] = [await newOrder(), await newOrder()];
	await keep(orderId, "kbis");
	await keep(orderId, "invoice");
	const kept = await keep(other, "kbis");
	await inTransaction((trx) => deleteDocuments(trx, [orderId]));
	expect(await listDocuments(database.db, orderId)).toEqual([]);
	expect(await listDocuments(database.db, other)).toEqual([kept]);
});
