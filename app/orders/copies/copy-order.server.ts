import type { Trx } from "../../../server/database/database.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import { recordIssuedNumber } from "../invoices/issued-numbers.server.ts";
import { encryptCopy, getCurrentKeyId } from "./encrypt-copy.server.ts";
import {
	deleteCopyRows,
	deleteRequestsOfUncopied,
	getRowsToCopy,
	lockCopy,
	type OrderRows,
	recordCopied,
} from "./order-copies.store.server.ts";
import { type CopyContext, compareRows, getCopyName, readCopy } from "./read-copy.server.ts";

/**
 * Replaces the copy of an order in the storage: all its rows, encrypted, and the numbers of its invoices. Orders without a payment, and
 * anonymised ones, have no copy. A lock prevents that an older copy replaces a newer one.
 * @param then runs in the same transaction, once the copy is in the storage, also for an order without a copy. That transaction locks no
 * order while the storage answers: an erasure locks orders first, and then their copies.
 * @throws when the copy must not be replaced, because it has what the database lacks, as after a restore, or an unknown key; and when the
 * storage fails. copyChangedOrders then tries again later.
 */
export async function copyOrder(context: CopyContext, orderId: string, then: (trx: Trx) => Promise<void> = async () => {}): Promise<void> {
	// outside the transaction, so that a slow storage does not hold a connection
	const previous = await readCopy(context, orderId);
	await context.db.transaction().execute(async (trx) => {
		if (await lockCopy(trx, orderId)) await replaceCopy(context, trx, orderId, previous);
		else await deleteRequestsOfUncopied(trx, orderId);
		await then(trx);
	});
}

const refuseToReplace = (orderId: string, reason: string) => new Error(`the copy of order ${orderId} stays: ${reason} (orders recreate)`);

async function replaceCopy(
	{ storage, environment }: CopyContext,
	trx: Trx,
	orderId: string,
	previous: Awaited<ReturnType<typeof readCopy>>,
): Promise<void> {
	const current = await getRowsToCopy(trx, orderId);
	const name = getCopyName(orderId);
	if (current === null) {
		// net: an erasure deletes the copy and its row
		await storage.remove(name);
		return void (await deleteCopyRows(trx, [orderId]));
	}
	const rows: OrderRows = JSON.parse(current.json);
	if (!previous.ok && previous.code === "unreadable") throw refuseToReplace(orderId, "it cannot be decrypted");
	if (previous.ok && compareRows(previous.copy, rows) !== "here") throw refuseToReplace(orderId, "it has what the database lacks");
	const knownInvoices = new Set(previous.ok ? previous.copy.invoices.map(({ id }) => id) : []);
	for (const { id, number } of rows.invoices.filter((invoice) => !knownInvoices.has(invoice.id)))
		await recordIssuedNumber(
			{ storage, demo: !environment.production },
			trx,
			{ id: String(id), number: String(number), order_id: orderId },
			null,
		);
	await storage.putObject(name, encryptCopy(environment, name, current.json));
	await recordCopied(trx, orderId, { keyId: getCurrentKeyId(environment), requests: current.requests });
}

/** Deletes the copy of an order. The caller's transaction must have locked it (lockCopies), so that no job copies it again. */
export async function deleteOrderCopy(storage: DocumentStorage, orderId: string): Promise<void> {
	await storage.remove(getCopyName(orderId));
}
