import type { Trx } from "../../server/database.ts";
import type { Runtime } from "../../server/runtime.ts";
import { findExtract } from "../documents/documents.store.server.ts";
import { forgetFile, releaseFile } from "../documents/forget-file.server.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import { findOnDesk, forgetUpload } from "../issuing/issuing.store.server.ts";
import { lockOrder } from "./orders.store.server.ts";
import { isUnfinished } from "./retention.store.server.ts";

type Deps = Pick<Runtime, "db" | "now"> & { storage: DocumentStorage };

/**
 * Removes the file of an order's extract, delivered or only handed in; its hash stays. Nothing of an unfinished order.
 * @returns whether it is gone.
 * @throws when the storage fails: nothing is noted then.
 */
export async function forgetExtract(deps: Deps, orderId: string): Promise<boolean> {
	return deps.db.transaction().execute(async (trx) => {
		// the rule; listOrdersWithOldExtract left out what was unfinished then
		if ((await lockOrder(trx, orderId)) === null || (await isUnfinished(trx, orderId))) return false;
		await forgetExtractLocked(deps, trx, orderId);
		return true;
	});
}

/** The same within a transaction that holds the lock of a finished order. */
export async function forgetExtractLocked({ storage, now }: Pick<Deps, "storage" | "now">, trx: Trx, orderId: string): Promise<void> {
	const extract = await findExtract(trx, orderId);
	const uploaded = (await findOnDesk(trx, orderId))?.storage_path;
	// the rule: what is gone needs no storage; net: markPurged keeps the first day
	if (extract && extract.purged_at === null) await forgetFile(storage, trx, extract, now());
	if (!uploaded) return;
	await forgetUpload(trx, orderId);
	await releaseFile(storage, trx, uploaded);
}
