import type { Trx } from "../../server/database/database.ts";
import { deleteFiles, type FileDeletion, type FileToDelete, planFileDeletions } from "../documents/delete-files.server.ts";
import { anonymiseReplaceReasons, deleteDocuments, listStoredDocuments } from "../documents/documents.server.ts";
import { anonymisePostings, deleteExtractRequests, listPathsOfOtherOrders } from "../fulfilment/extract-requests.server.ts";
import { deleteInvoices, listInvoiceNumbers } from "../invoices/invoices.server.ts";
import { deleteNumber } from "../invoices/issued-numbers.server.ts";
import { anonymiseMails, deleteMails } from "../mail/mails.server.ts";
import { deleteOrderCopy } from "../order-copies/copy-order.server.ts";
import { deleteCopyRows, lockCopies, requestCopies } from "../order-copies/order-copies.server.ts";
import { anonymiseRequests, deleteRequests } from "../orders/customer-requests.server.ts";
import { anonymiseCustomers, deleteOrders, lockOrders } from "../orders/orders.server.ts";
import { deleteSessions, listOrdersWithOpenSession } from "../payments/payment-sessions.server.ts";
import { anonymiseSandboxCustomers } from "../payments/sandbox/sandbox-records.server.ts";
import { deletePayments, listOrdersWithPayment } from "../refunds/refunds.server.ts";
import { listExtractFiles, markExtractsGone } from "./delete-old-extracts.server.ts";
import { listFinished } from "./retention.store.server.ts";
import type { RetentionContext } from "./retention-context.ts";

/**
 * Ids of orders. `unfinished`: nothing of them is changed. An order in none of the three lists was erased already, does not exist, is in
 * somebody else's hands, or failed (`fault`).
 */
export type ErasedOrders = Record<"erased" | "deleted" | "unfinished", string[]> & {
	/** Why something outside of the database could not be removed: its orders are as they were. Undefined when nothing failed. */
	fault: unknown;
};

/**
 * Takes their customers out of orders that are over, in one transaction: one that nobody ever paid goes with all that hangs on it; of one
 * that was paid, company, amounts and invoices stay, as the accounts need them for ten years. An unfinished order stays as it is.
 * @param wait false: orders that somebody else has in hand are left for another time.
 */
export async function eraseOrders(
	context: RetentionContext,
	orderIds: readonly string[],
	{ wait }: { wait: boolean } = { wait: true },
): Promise<ErasedOrders> {
	return context.db.transaction().execute(async (trx) => {
		const present = (await lockOrders(trx, orderIds, { wait })).filter(({ erased_at }) => erased_at === null).map(({ id }) => id);
		const payable = new Set(await listOrdersWithOpenSession(trx, present));
		// the rule; the lists of the purge left out what was unfinished then
		const over = (await listFinished(trx, present)).filter((id) => !payable.has(id));
		const paid = new Set(await listOrdersWithPayment(trx, over));
		const neverPaid = over.filter((id) => !paid.has(id));
		const files = [...(await listExtractFiles(trx, [...paid])), ...(await listAllFiles(trx, neverPaid))];
		const copied = await lockCopies(trx, over);
		const copies = copied.map((id) => ({ orderIds: [id], remove: () => deleteOrderCopy(context.storage, id) }));
		const { failed, fault } = await deleteFiles([...(await planRemovals(context, trx, files)), ...copies]);
		await requestCopies(trx, [...failed]);

		const deleted = neverPaid.filter((id) => !failed.has(id));
		const erased = [...paid].filter((id) => !failed.has(id));
		await anonymiseSandboxCustomers(trx, [...erased, ...deleted]);
		await deleteRows(trx, deleted);
		await anonymiseOrders(
			trx,
			erased,
			files.filter(({ orderId }) => paid.has(orderId) && !failed.has(orderId)),
			context.now(),
		);
		return { erased, deleted, unfinished: present.filter((id) => !over.includes(id)), fault };
	});
}

/** Deletes what is left of erased orders, their invoices and their files: nothing of them has to be kept any more. @returns those deleted. */
export async function deleteErasedOrders(
	context: RetentionContext,
	orderIds: readonly string[],
	{ wait }: { wait: boolean } = { wait: true },
): Promise<{ deleted: string[]; fault: unknown }> {
	return context.db.transaction().execute(async (trx) => {
		// the rule; listOrdersToDelete chooses by it
		const erased = (await lockOrders(trx, orderIds, { wait })).filter(({ erased_at }) => erased_at !== null).map(({ id }) => id);
		const numbers = (await listInvoiceNumbers(trx, erased)).map(({ order_id, number }) => ({
			orderIds: [order_id],
			remove: () => deleteNumber(context.storage, number),
		}));
		const files = await planRemovals(context, trx, await listAllFiles(trx, erased));
		const { failed, fault } = await deleteFiles([...files, ...numbers]);
		const deleted = erased.filter((id) => !failed.has(id));
		await deleteRows(trx, deleted);
		return { deleted, fault };
	});
}

/** All that is kept of orders outside of the database and goes with them. Whatever else is kept there, in a bucket or with a partner, is a line here. */
async function planRemovals({ storage }: RetentionContext, trx: Trx, files: readonly FileToDelete[]): Promise<FileDeletion[]> {
	return planFileDeletions(storage, trx, files, await listPathsOfOtherOrders(trx, files));
}

/** What was only handed in is none of these: it goes when an order is erased. */
async function listAllFiles(trx: Trx, orderIds: readonly string[]): Promise<FileToDelete[]> {
	const documents = await listStoredDocuments(trx, orderIds);
	return documents.map(({ id, order_id, storage_path }) => ({ orderId: order_id, path: storage_path, documentId: id }));
}

async function anonymiseOrders(trx: Trx, orderIds: readonly string[], files: readonly FileToDelete[], now: Date): Promise<void> {
	// first: what is written to an order that has a copy asks for another one
	await deleteCopyRows(trx, orderIds);
	await markExtractsGone(trx, files, now);
	await anonymiseReplaceReasons(trx, orderIds);
	await deleteSessions(trx, orderIds);
	await anonymiseMails(trx, orderIds);
	await anonymiseRequests(trx, orderIds);
	await anonymisePostings(trx, orderIds);
	await anonymiseCustomers(trx, orderIds, now);
}

async function deleteRows(trx: Trx, orderIds: readonly string[]): Promise<void> {
	if (orderIds.length === 0) return;
	await deleteMails(trx, orderIds);
	await deleteInvoices(trx, orderIds);
	await deleteDocuments(trx, orderIds);
	await deletePayments(trx, orderIds);
	await deleteSessions(trx, orderIds);
	await deleteRequests(trx, orderIds);
	await deleteExtractRequests(trx, orderIds);
	await deleteOrders(trx, orderIds);
}
