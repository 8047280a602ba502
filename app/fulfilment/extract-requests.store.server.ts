import { type Selectable, sql } from "kysely";
import { anyOf, type Database, type Trx } from "../../server/database/database.ts";
import type { ExtractRequests, JsonObject } from "../../server/database/database-types.gen.ts";
import { logOrderEvent } from "../../server/database/log-after-commit.ts";
import type { NotFoundReason } from "../orders/lifecycle.ts";

/** All SQL on `extract_requests`, the fulfilment queue. */
export type QueuedRequest = Selectable<ExtractRequests>;

/** A checked and stored extract. */
export interface UploadedExtract {
	path: string;
	/** Hexadecimal. */
	sha256: string;
	bytes: number;
	issuedAt: Date;
	/** The operator's name. */
	by?: string | null;
	/** What they confirmed after looking at the file. */
	confirmed?: string[] | null;
}

/** Who uploaded an extract and what they confirmed, for the order's history. */
export function describeUpload({ by, confirmed }: Pick<UploadedExtract, "by" | "confirmed">): JsonObject {
	return { ...(by && { by }), ...(confirmed?.length && { confirmed: confirmed.join(", ") }) };
}

const toColumns = (upload: UploadedExtract, now: Date) => ({
	storage_path: upload.path,
	sha256: upload.sha256,
	bytes: upload.bytes,
	issued_at: upload.issuedAt,
	uploaded_at: now,
	served_by: upload.by || null,
	confirmed: upload.confirmed ?? null,
});

/** Adds an order to the fulfilment queue, once. */
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

export async function listRequests(db: Database | Trx, orderIds: readonly string[]): Promise<QueuedRequest[]> {
	return db.selectFrom("extract_requests").selectAll().where("order_id", "=", anyOf(orderIds)).execute();
}

/** Enqueues an order if necessary, and locks its request until the transaction ends. */
export async function lockRequest(trx: Trx, orderId: string, now: Date): Promise<QueuedRequest> {
	await enqueueRequest(trx, orderId, now);
	return trx.selectFrom("extract_requests").selectAll().where("order_id", "=", orderId).forUpdate().executeTakeFirstOrThrow();
}

/** Locks a file's hash until the transaction ends, so that two concurrent orders do not both accept the same file. */
export async function lockHash(trx: Trx, sha256: string): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${sha256}, 0))`.execute(trx);
}

/** Finds the request with an uploaded file of this hash. */
export async function findUploadByHash(db: Database | Trx, sha256: string): Promise<QueuedRequest | null> {
	return (await db.selectFrom("extract_requests").selectAll().where("sha256", "=", sha256).executeTakeFirst()) ?? null;
}

/** Records the first extract of an order. Net: uploadExtract refuses another file before. */
export async function recordUpload(trx: Trx, orderId: string, upload: UploadedExtract, now: Date): Promise<void> {
	await trx
		.updateTable("extract_requests")
		.set(toColumns(upload, now))
		.where("order_id", "=", orderId)
		.where("storage_path", "is", null)
		.execute();
	logOrderEvent(trx, orderId, "extract_uploaded");
}

/** Records the extract that replaces another one. Does nothing for an order without a request (issued automatically). */
export async function replaceUpload(trx: Trx, orderId: string, upload: UploadedExtract, now: Date): Promise<void> {
	await trx
		.updateTable("extract_requests")
		.set({ ...toColumns(upload, now), printed_at: null })
		.where("order_id", "=", orderId)
		.execute();
}

/** Replaces the tracking number of a posted letter. @param postedAt when the number is of a new letter. */
export async function replacePosting(trx: Trx, orderId: string, trackingNumber: string, postedAt?: Date): Promise<void> {
	await trx
		.updateTable("extract_requests")
		.set({ tracking_number: trackingNumber, posted_at: postedAt })
		.where("order_id", "=", orderId)
		.execute();
}

/** Records the first tracking number of a letter. Net: postExtract refuses another one before. */
export async function recordPosting(trx: Trx, orderId: string, trackingNumber: string, now: Date): Promise<void> {
	await trx
		.updateTable("extract_requests")
		.set({ tracking_number: trackingNumber, posted_at: now })
		.where("order_id", "=", orderId)
		.where("tracking_number", "is", null)
		.execute();
	logOrderEvent(trx, orderId, "letter_posted");
}

/** Records that the registry has no extract of the company. */
export async function recordNotFound(
	trx: Trx,
	orderId: string,
	{ because, by, now }: { because: NotFoundReason; by?: string | undefined; now: Date },
): Promise<void> {
	await trx
		.updateTable("extract_requests")
		.set({ not_found_at: now, not_found_because: because, served_by: by ?? null })
		.where("order_id", "=", orderId)
		.where("not_found_at", "is", null)
		.execute();
	logOrderEvent(trx, orderId, "extract_not_found");
}

/** The stored uploads of these orders. */
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

/** Filters these files: those that another order's request also needs. */
export async function listPathsOfOtherOrders(trx: Trx, files: readonly { orderId: string; path: string }[]): Promise<string[]> {
	const [orders, paths] = [files.map(({ orderId }) => orderId), files.map(({ path }) => path)];
	const { rows } = await sql<{ storage_path: string }>`
		select storage_path from extract_requests where storage_path = any(${paths})
			and not exists (select from unnest(${orders}::uuid[], ${paths}::text[]) as gone (order_id, path)
				where gone.order_id = extract_requests.order_id and gone.path = storage_path)`.execute(trx);
	return rows.map(({ storage_path }) => storage_path);
}

/** Removes the paths of uploads. Their hashes stay, so that no file is accepted again for another order. */
export async function deleteUploads(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.updateTable("extract_requests").set({ storage_path: null }).where("order_id", "=", anyOf(orderIds)).execute();
}

/** Blanks the tracking numbers of letters; their posting dates stay. */
export async function anonymisePostings(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.updateTable("extract_requests").set({ tracking_number: null }).where("order_id", "=", anyOf(orderIds)).execute();
}

export async function deleteExtractRequests(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.deleteFrom("extract_requests").where("order_id", "=", anyOf(orderIds)).execute();
}
