import type { Runtime } from "../../server/runtime.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import { recordIssuedNumber } from "../invoices/issued-numbers.server.ts";
import { encryptCopy, presentKeyId } from "./encrypt-copy.server.ts";
import {
	deleteCopyRows,
	deleteRequestsOfUncopied,
	lockCopy,
	type OrderRows,
	readRowsToCopy,
	recordCopied,
} from "./order-copies.store.server.ts";
import { compareRows, copyName, readCopy } from "./read-copy.server.ts";

export type CopyDeps = Pick<Runtime, "db" | "environment"> & { storage: DocumentStorage };

/** A copy that must not be replaced: it has what this database lacks, as after a restore or a failover, or it is under an unknown key. */
export class CopyAhead extends Error {
	constructor(orderId: string, why: "it has what the database lacks" | "it cannot be decrypted") {
		super(`the copy of order ${orderId} stays: ${why} (orders recreate)`);
	}
}

/**
 * Keeps an order as it is now outside of the database: all its rows, encrypted, in place of its copy before, and the numbers of its
 * invoices. An order without payment, or whose customer was erased, gets none. One copy of an order is made at a time, so that no older
 * one replaces a newer one.
 * @throws CopyAhead when the copy before has more than the database; another error when the storage fails. What asked for the copy stays,
 * and it is made later (copyChangedOrders).
 */
export async function copyOrder({ db, storage, environment }: CopyDeps, orderId: string): Promise<void> {
	// outside of the transaction: a storage that does not answer must not keep a connection
	const before = await readCopy({ storage, environment }, orderId);
	await db.transaction().execute(async (trx) => {
		if (!(await lockCopy(trx, orderId))) return void (await deleteRequestsOfUncopied(trx, orderId));
		const toCopy = await readRowsToCopy(trx, orderId);
		const name = copyName(orderId);
		if (toCopy === null) {
			// the version before this one erases customers without their copies
			await storage.remove(name);
			return void (await deleteCopyRows(trx, [orderId]));
		}
		const rows: OrderRows = JSON.parse(toCopy.json);
		if (!before.ok && before.code === "unreadable") throw new CopyAhead(orderId, "it cannot be decrypted");
		if (before.ok && compareRows(before.copy, rows) !== "here") throw new CopyAhead(orderId, "it has what the database lacks");
		const known = new Set(before.ok ? before.copy.invoices.map(({ id }) => id) : []);
		for (const { id, number } of rows.invoices.filter((invoice) => !known.has(invoice.id)))
			await recordIssuedNumber(
				{ storage, demo: !environment.production },
				trx,
				{ id: String(id), number: String(number), order_id: orderId },
				null,
			);
		await storage.putObject(name, encryptCopy(environment, name, toCopy.json));
		await recordCopied(trx, orderId, { keyId: presentKeyId(environment), requests: toCopy.requests });
	});
}

/** Deletes the copy of an order; the caller's transaction has locked it (lockCopies), so that nobody makes it again meanwhile. */
export async function deleteOrderCopy(storage: DocumentStorage, orderId: string): Promise<void> {
	await storage.remove(copyName(orderId));
}
