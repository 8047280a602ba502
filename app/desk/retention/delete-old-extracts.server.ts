import type { Trx } from "../../../server/database/database.ts";
import { logOrderEvent } from "../../../server/database/log-after-commit.ts";
import { deleteUploads, listPathsOfOtherOrders, listUploads } from "../../fulfilment/extract-requests.store.server.ts";
import { deleteFiles, type FileToDelete, planFileDeletions } from "../../orders/documents/delete-files.server.ts";
import { listStoredDocuments, markPurged } from "../../orders/documents/documents.store.server.ts";
import { lockOrders } from "../../orders/orders.store.server.ts";
import type { RetentionContext } from "./purge.server.ts";
import { listFinished } from "./retention.store.server.ts";

/**
 * Deletes the extract files of orders, delivered or uploaded before `before`, in one transaction; their hashes stay.
 * Skips unfinished orders and orders that another transaction has locked.
 * @returns the orders with a deleted file, and the fault of the storage if a deletion failed. An order with a fault stays unchanged.
 */
export async function deleteOldExtracts(
	{ db, now, storage }: RetentionContext,
	orderIds: readonly string[],
	before: Date,
): Promise<{ orderIds: string[]; fault: unknown }> {
	return db.transaction().execute(async (trx) => {
		const orders = new Map((await lockOrders(trx, orderIds, { skipLocked: true })).map((order) => [order.id, order]));
		// the rule, checked under the lock; listOrdersWithOldExtract only preselects
		const files = await listExtractFiles(trx, await listFinished(trx, [...orders.keys()]));
		const isOld = ({ orderId, since }: ExtractFile) =>
			Math.max(since.getTime(), orders.get(orderId)?.completed_at?.getTime() ?? 0) < before.getTime();
		const old = files.filter(isOld);
		const deletions = await planFileDeletions(storage, trx, old, await listPathsOfOtherOrders(trx, old));
		const { failed, fault } = await deleteFiles(deletions);
		const deleted = old.filter(({ orderId }) => !failed.has(orderId));
		await markExtractsDeleted(trx, deleted, now());
		return { orderIds: [...new Set(deleted.map(({ orderId }) => orderId))], fault };
	});
}

/** `since`: when the file was created or uploaded. */
type ExtractFile = FileToDelete & { since: Date };

/** The extract files of orders, including replaced ones. */
export async function listExtractFiles(trx: Trx, orderIds: readonly string[]): Promise<ExtractFile[]> {
	const documents = (await listStoredDocuments(trx, orderIds)).filter(({ doc_type }) => doc_type === "kbis");
	const uploads = await listUploads(trx, orderIds);
	return [
		...documents.map(({ id, order_id, storage_path, created_at }) => ({
			orderId: order_id,
			path: storage_path,
			documentId: id,
			since: created_at,
		})),
		...uploads.map(({ order_id, storage_path, uploaded_at }) => ({
			orderId: order_id,
			path: storage_path,
			documentId: null,
			since: uploaded_at,
		})),
	];
}

/** Records that these files are deleted. A document keeps its row and hash, so that a copy can still be verified. */
export async function markExtractsDeleted(trx: Trx, files: readonly FileToDelete[], now: Date): Promise<void> {
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
