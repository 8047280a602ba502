import type { Trx } from "../../server/database/database.ts";
import { forEachConcurrent } from "../../server/for-each-concurrent.ts";
import { listNeededPaths } from "./documents.store.server.ts";
import type { DocumentStorage } from "./storage.ts";

/** A stored file that is to go: of a document, or only handed in. */
export interface FileToDelete {
	orderId: string;
	path: string;
	documentId: string | null;
}

/** One thing outside of the database that goes with orders. A throw leaves these orders as they are; what is gone already is no fault. */
export interface FileDeletion {
	orderIds: string[];
	remove: () => Promise<void>;
}

/**
 * One removal for each file, but for those that another document needs: two with the same bytes share one.
 * @param handedIn paths that must stay because they were handed in for an order that keeps them.
 */
export async function planFileDeletions(
	storage: DocumentStorage,
	trx: Trx,
	files: readonly FileToDelete[],
	handedIn: readonly string[],
): Promise<FileDeletion[]> {
	const ordersByPath = Map.groupBy(files, ({ path }) => path);
	const documents = files.flatMap(({ documentId }) => documentId ?? []);
	const needed = await listNeededPaths(trx, [...ordersByPath.keys()], documents);
	for (const path of [...needed, ...handedIn]) ordersByPath.delete(path);
	return [...ordersByPath].map(([path, of]) => ({ orderIds: of.map(({ orderId }) => orderId), remove: () => storage.remove(path) }));
}

const mostAtOnce = 32;

/**
 * Removes what is kept outside of the database, past what fails; before the caller's transaction commits: if it does not, the same is
 * done again.
 * @returns the orders that something is left of, with the first fault.
 */
export async function deleteFiles(removals: readonly FileDeletion[]): Promise<{ failed: Set<string>; fault: unknown }> {
	const failed = new Set<string>();
	let fault: unknown;
	await forEachConcurrent(mostAtOnce, removals, async ({ orderIds, remove }) => {
		try {
			await remove();
		} catch (error) {
			fault ??= error;
			for (const id of orderIds) failed.add(id);
		}
	});
	return { failed, fault };
}
