import type { Trx } from "../../server/database.ts";
import { isFileNeeded, markPurged, type StoredDocument } from "./documents.store.server.ts";
import type { DocumentStorage } from "./storage.ts";

/**
 * Removes the file of a document; its row and hash stay, so that a copy can still be verified. In the caller's transaction, before
 * it commits: if it does not, the same is done again, and a file that is gone already is no fault.
 */
export async function forgetFile(storage: DocumentStorage, trx: Trx, { id, storage_path }: StoredDocument, now: Date): Promise<void> {
	await markPurged(trx, id, now);
	await releaseFile(storage, trx, storage_path);
}

/** Removes a stored file unless some document still needs it: two with the same bytes share one. */
export async function releaseFile(storage: DocumentStorage, trx: Trx, path: string): Promise<void> {
	if (!(await isFileNeeded(trx, path))) await storage.remove(path);
}
