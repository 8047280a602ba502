import type { Runtime } from "../../server/runtime.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import { encryptCopy, presentKeyId } from "./encrypt-copy.server.ts";
import { deleteCopyRows, lockCopy, noteCopied, readRowsToCopy } from "./order-copies.store.server.ts";

export type CopyDeps = Pick<Runtime, "db" | "environment"> & { storage: DocumentStorage };

const folder = "orders/";

export const copiesPrefix = folder;

/** The object that is the copy of an order. */
export const copyName = (orderId: string) => `${folder}${orderId}`;

/**
 * Keeps an order as it is now outside of the database: all its rows, encrypted, in place of its copy before. An order without
 * payment, or whose customer was erased, gets none. One copy of an order is made at a time, so that no older one replaces a newer one.
 * @throws when the storage fails: what asked for the copy stays, and it is made later (copyChangedOrders).
 */
export async function copyOrder({ db, storage, environment }: CopyDeps, orderId: string): Promise<void> {
	await db.transaction().execute(async (trx) => {
		const toCopy = (await lockCopy(trx, orderId)) ? await readRowsToCopy(trx, orderId) : null;
		if (toCopy === null) return void (await deleteCopyRows(trx, [orderId]));
		const name = copyName(orderId);
		await storage.putObject(name, encryptCopy(environment, name, toCopy.json));
		await noteCopied(trx, orderId, { keyId: presentKeyId(environment), requests: toCopy.requests });
	});
}

/** Deletes the copy of an order; the caller's transaction has locked it (lockCopies), so that nobody makes it again meanwhile. */
export async function deleteOrderCopy(storage: DocumentStorage, orderId: string): Promise<void> {
	await storage.remove(copyName(orderId));
}
