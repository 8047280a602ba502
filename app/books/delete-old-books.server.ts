import type { StorageContext } from "../orders/documents/storage.ts";
import { deleteOldBalance } from "../payments/balance.store.server.ts";
import { deleteBooks, listOldClosings } from "./closing/closings.store.server.ts";
import { getBounds, getFirstMonth } from "./month.ts";

/**
 * Deletes the books of the years before `firstKept`, with the files of their closed months and the provider's movements: they are kept for
 * ten years (C. com. art. L123-22). Older facts are not booked again (`getFirstKeptInstant`). @returns how many entries.
 */
export async function deleteOldBooks({ db, storage }: Pick<StorageContext, "db" | "storage">, firstKept: number): Promise<number> {
	const before = getFirstMonth(firstKept);
	// files first: a failure leaves the closings, and the next run continues
	for (const { month, files } of await listOldClosings(db, before)) {
		for (const { object } of files) await storage.remove(object);
		await storage.remove(`accounts/${month}.json`);
	}
	await deleteOldBalance(db, getBounds(before).since);
	return db.transaction().execute((trx) => deleteBooks(trx, before));
}
