import { type Selectable, sql } from "kysely";
import { anyOf, type Database, type Trx } from "../../server/database/database.ts";
import type { ExtractRequests } from "../../server/database/database-types.gen.ts";
import { logOrderEvent } from "../../server/database/log-after-commit.ts";

/** All SQL on `extract_requests`, the operator's desk. Its verbs for the operator are in orders: they also look at the order. */
export type QueuedRequest = Selectable<ExtractRequests>;

/** An extract that was checked and stored. */
export interface UploadedExtract {
	path: string;
	/** Hexadecimal. */
	sha256: string;
	bytes: number;
	issuedAt: Date;
}

/** Puts an order on the desk; one that is there stays as it is. */
export async function enqueueRequest(db: Database | Trx, orderId: string, now: Date): Promise<void> {
	await db
		.insertInto("extract_requests")
		.values({ order_id: orderId, requested_at: now })
		.onConflict((conflict) => conflict.column("order_id").doNothing())
		.execute();
}

export async function findRequest(db: Database | Trx, orderId: string): Promise<QueuedRequest | null> {
	return (await db.selectFrom("extract_requests").selectAll().where("order_id", "=", orderId).executeTakeFirst()) ?? null;
}

/** The same, and nobody else changes this order's place on the desk before the transaction ends. */
export async function lockRequest(trx: Trx, orderId: string, now: Date): Promise<QueuedRequest> {
	await enqueueRequest(trx, orderId, now);
	return trx.selectFrom("extract_requests").selectAll().where("order_id", "=", orderId).forUpdate().executeTakeFirstOrThrow();
}

/** Until the transaction ends, nobody else keeps a file with this hash: two orders given the same file at once do not both take it. */
export async function lockHash(trx: Trx, sha256: string): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${sha256}, 0))`.execute(trx);
}

/** The order that was given a file with this hash. */
export async function findUploadByHash(db: Database | Trx, sha256: string): Promise<QueuedRequest | null> {
	return (await db.selectFrom("extract_requests").selectAll().where("sha256", "=", sha256).executeTakeFirst()) ?? null;
}

/** Keeps the extract of an order that has none. Net: uploadExtract refuses another file first; the same one again changes nothing. */
export async function recordUpload(trx: Trx, orderId: string, upload: UploadedExtract, now: Date): Promise<void> {
	await trx
		.updateTable("extract_requests")
		.set({ storage_path: upload.path, sha256: upload.sha256, bytes: upload.bytes, issued_at: upload.issuedAt, uploaded_at: now })
		.where("order_id", "=", orderId)
		.where("storage_path", "is", null)
		.execute();
	logOrderEvent(trx, orderId, "extract_uploaded");
}

/** Keeps the extract that replaces another one; nothing of an order that was not served by hand. */
export async function replaceUpload(trx: Trx, orderId: string, upload: UploadedExtract, now: Date): Promise<void> {
	await trx
		.updateTable("extract_requests")
		.set({ storage_path: upload.path, sha256: upload.sha256, bytes: upload.bytes, issued_at: upload.issuedAt, uploaded_at: now })
		.where("order_id", "=", orderId)
		.execute();
}

/** Changes the tracking number of a letter that was posted. @param postedAt of another letter, posted since. */
export async function replacePosting(trx: Trx, orderId: string, trackingNumber: string, postedAt?: Date): Promise<void> {
	await trx
		.updateTable("extract_requests")
		.set({ tracking_number: trackingNumber, posted_at: postedAt })
		.where("order_id", "=", orderId)
		.execute();
}

/** Keeps the tracking number of a letter. Net: the first one stays; postExtract refuses another one first. */
export async function recordPosting(trx: Trx, orderId: string, trackingNumber: string, now: Date): Promise<void> {
	await trx
		.updateTable("extract_requests")
		.set({ tracking_number: trackingNumber, posted_at: now })
		.where("order_id", "=", orderId)
		.where("tracking_number", "is", null)
		.execute();
	logOrderEvent(trx, orderId, "letter_posted");
}

/** Notes that the registry has nothing on the company. */
export async function recordNotFound(trx: Trx, orderId: string, now: Date): Promise<void> {
	await trx
		.updateTable("extract_requests")
		.set({ not_found_at: now })
		.where("order_id", "=", orderId)
		.where("not_found_at", "is", null)
		.execute();
	logOrderEvent(trx, orderId, "extract_not_found");
}

/** What was handed in for these orders and is still kept. */
export async function listUploads(
	trx: Trx,
	orderIds: readonly string[],
): Promise<{ order_id: string; storage_path: string; uploaded_at: Date }[]> {
	const query = trx
		.selectFrom("extract_requests")
		.select(["order_id", "storage_path", "uploaded_at"])
		.where("storage_path", "is not", null);
	return query.where("order_id", "=", anyOf(orderIds)).$narrowType<{ storage_path: string; uploaded_at: Date }>().execute();
}

/** Those of these files that are also kept as handed in for another order than the one that lets go of them. */
export async function listPathsOfOtherOrders(trx: Trx, files: readonly { orderId: string; path: string }[]): Promise<string[]> {
	const [orders, paths] = [files.map(({ orderId }) => orderId), files.map(({ path }) => path)];
	const { rows } = await sql<{ storage_path: string }>`
		select storage_path from extract_requests where storage_path = any(${paths})
			and not exists (select from unnest(${orders}::uuid[], ${paths}::text[]) as gone (order_id, path)
				where gone.order_id = extract_requests.order_id and gone.path = storage_path)`.execute(trx);
	return rows.map(({ storage_path }) => storage_path);
}

/** The files are no longer kept; their hashes stay, so that none is handed in again for another order. */
export async function deleteUploads(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.updateTable("extract_requests").set({ storage_path: null }).where("order_id", "=", anyOf(orderIds)).execute();
}

/** Of letters, only that they were posted is still known. */
export async function anonymisePostings(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.updateTable("extract_requests").set({ tracking_number: null }).where("order_id", "=", anyOf(orderIds)).execute();
}

export async function deleteExtractRequests(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.deleteFrom("extract_requests").where("order_id", "=", anyOf(orderIds)).execute();
}
