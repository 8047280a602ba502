import type { Trx } from "../../../server/database/database.ts";
import { forEachConcurrent } from "../../../server/for-each-concurrent.ts";
import { listNeededPaths } from "./documents.store.server.ts";
import type { DocumentStorage } from "./storage.ts";

/** A file to delete: of a document, or uploaded without becoming one. */
export interface FileToDelete {
	orderId: string;
	path: string;
	documentId: string | null;
}

/** The deletion of one file outside the database. If it throws, its orders stay unchanged; a missing file is no error. */
export interface FileDeletion {
	orderIds: string[];
	remove: () => Promise<void>;
}

/**
 * Plans one deletion for each file, except for files that another document needs: documents with the same bytes share a file.
 * @param uploadedPaths paths of uploaded files that other orders need.
 */
export async function planFileDeletions(
	storage: DocumentStorage,
	trx: Trx,
	files: readonly FileToDelete[],
	uploadedPaths: readonly string[],
): Promise<FileDeletion[]> {
	const ordersByPath = Map.groupBy(files, ({ path }) => path);
	const documents = files.flatMap(({ documentId }) => documentId ?? []);
	const needed = await listNeededPaths(trx, [...ordersByPath.keys()], documents);
	for (const path of [...needed, ...uploadedPaths]) ordersByPath.delete(path);
	return [...ordersByPath].map(([path, filesOfPath]) => ({
		orderIds: filesOfPath.map(({ orderId }) => orderId),
		remove: () => storage.remove(path),
	}));
}

const maxConcurrentDeletions = 32;

/**
 * Deletes files, and continues after errors. The caller's transaction commits afterwards; if it fails, the deletion is repeated.
 * @returns the orders whose files were not all deleted, with the first error.
 */
export async function deleteFiles(removals: readonly FileDeletion[]): Promise<{ failed: Set<string>; fault: unknown }> {
	const failed = new Set<string>();
	let fault: unknown;
	await forEachConcurrent(maxConcurrentDeletions, removals, async ({ orderIds, remove }) => {
		try {
			await remove();
		} catch (error) {
			fault ??= error;
			for (const id of orderIds) failed.add(id);
		}
	});
	return { failed, fault };
}
