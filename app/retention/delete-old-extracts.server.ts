import type { Trx } from "../../server/database/database.ts";
import { logOrderEvent } from "../../server/database/log-after-commit.ts";
import { deleteFiles, type FileToDelete, planFileDeletions } from "../documents/delete-files.server.ts";
import { listStoredDocuments, markPurged } from "../documents/documents.server.ts";
import { deleteUploads, listPathsOfOtherOrders, listUploads } from "../fulfilment/extract-requests.server.ts";
import { lockOrders } from "../orders/orders.server.ts";
import { listFinished } from "./retention.store.server.ts";
import type { RetentionContext } from "./retention-context.ts";

/**
 * Removes the files of the extracts of orders, delivered or only handed in, in one transaction; their hashes stay. Nothing of an
 * unfinished order, nor of one that somebody else has in hand, nor what was delivered at `before` or later.
 * @returns the orders of which something is gone; those whose file the storage did not let go of stay as they are, and it says why.
 */
export async function deleteOldExtracts(
	{ db, now, storage }: RetentionContext,
	orderIds: readonly string[],
	before: Date,
): Promise<{ gone: string[]; fault: unknown }> {
	return db.transaction().execute(async (trx) => {
		const orders = new Map((await lockOrders(trx, orderIds, { wait: false })).map((order) => [order.id, order]));
		// the rule; listOrdersWithOldExtract left out what was unfinished, or young, then
		const files = await listExtractFiles(trx, await listFinished(trx, [...orders.keys()]));
		const old = files.filter(({ orderId, since }) => later(orders.get(orderId)?.completed_at, since) < before);
		const removals = await planFileDeletions(storage, trx, old, await listPathsOfOtherOrders(trx, old));
		const { failed, fault } = await deleteFiles(removals);
		const gone = old.filter(({ orderId }) => !failed.has(orderId));
		await markExtractsGone(trx, gone, now());
		return { gone: [...new Set(gone.map(({ orderId }) => orderId))], fault };
	});
}

const later = (one: Date | null | undefined, other: Date) => (one && one > other ? one : other);

/** A file with the instant at which it was made or handed in. */
type ExtractFile = FileToDelete & { since: Date };

/** The files of orders' extracts, also of those that were replaced. */
export async function listExtractFiles(trx: Trx, orderIds: readonly string[]): Promise<ExtractFile[]> {
	const documents = (await listStoredDocuments(trx, orderIds)).filter(({ doc_type }) => doc_type === "kbis");
	const uploads = await listUploads(trx, orderIds);
	return [
		...documents.map(({ id, order_id, storage_path, created_at }) => ({
			...{ orderId: order_id, path: storage_path, documentId: id, since: created_at },
		})),
		...uploads.map(({ order_id, storage_path, uploaded_at }) => ({
			...{ orderId: order_id, path: storage_path, documentId: null, since: uploaded_at },
		})),
	];
}

/** Records that these files are deleted. A document keeps its row and hash, so that a copy can still be verified. */
export async function markExtractsGone(trx: Trx, files: readonly FileToDelete[], now: Date): Promise<void> {
	await markPurged(
		trx,
		files.flatMap(({ documentId }) => documentId ?? []),
		now,
	);
	await deleteUploads(
		trx,
		files.filter(({ documentId }) => documentId === null).map(({ orderId }) => orderId),
	);
	for (const orderId of new Set(files.map((file) => file.orderId))) logOrderEvent(trx, orderId, "extract_deleted");
}
