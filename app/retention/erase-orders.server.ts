import type { Trx } from "../../server/database/database.ts";
import { deleteFiles, type FileDeletion, type FileToDelete, planFileDeletions } from "../documents/delete-files.server.ts";
import { anonymiseReplaceReasons, deleteDocuments, listStoredDocuments } from "../documents/documents.server.ts";
import { deleteDrafts } from "../fulfilment/drafts/drafts.server.ts";
import { anonymisePostings, deleteExtractRequests, listPathsOfOtherOrders } from "../fulfilment/extract-requests.server.ts";
import { deleteNotes } from "../fulfilment/notes/notes.server.ts";
import { deleteInvoices, listInvoiceNumbers } from "../invoices/invoices.server.ts";
import { deleteNumber } from "../invoices/issued-numbers.server.ts";
import { anonymiseMails, deleteMails } from "../mail/mails.server.ts";
import { deleteConversationsOfOrders } from "../messages/messages.server.ts";
import { deleteOrderCopy } from "../order-copies/copy-order.server.ts";
import { deleteCopyRows, lockCopies, requestCopies } from "../order-copies/order-copies.server.ts";
import { anonymiseRequests, deleteRequests } from "../orders/customer-requests.server.ts";
import { anonymiseCustomers, deleteOrders, lockOrders } from "../orders/orders.server.ts";
import { deleteSessions, listPurchasesWithOpenSession } from "../payments/payment-sessions.server.ts";
import { anonymiseSandboxCustomers } from "../payments/sandbox/sandbox-records.server.ts";
import { anonymiseRefundNotes, deletePayments, listOrdersWithPayment } from "../refunds/refunds.server.ts";
import { listExtractFiles, markExtractsDeleted } from "./delete-old-extracts.server.ts";
import { listFinished } from "./retention.store.server.ts";
import type { RetentionContext } from "./retention-context.ts";

/**
 * Ids of orders. `unfinished`: these stay unchanged. An order in none of the lists was already erased, does not exist, is locked by another
 * transaction, or failed (`fault`).
 */
export type ErasedOrders = Record<"erased" | "deleted" | "unfinished", string[]> & {
	/** The error of a deletion outside the database; the orders concerned stay unchanged. Undefined when nothing failed. */
	fault: unknown;
};

/**
 * Erases the customers of finished orders, in one transaction. An order without payment is deleted with all its rows. A paid order keeps
 * company, amounts and invoices, because the law requires the accounts for ten years. An unfinished order stays unchanged.
 * @param wait false: skips orders that another transaction has locked.
 */
export async function eraseOrders(
	context: RetentionContext,
	orderIds: readonly string[],
	{ wait }: { wait: boolean } = { wait: true },
): Promise<ErasedOrders> {
	return context.db.transaction().execute(async (trx) => {
		const present = (await lockOrders(trx, orderIds, { wait })).filter(({ erased_at }) => erased_at === null).map(({ id }) => id);
		const payable = new Set(await listPurchasesWithOpenSession(trx, present));
		// the rule, checked under the lock; the lists of the purge only preselect
		const finished = (await listFinished(trx, present)).filter((id) => !payable.has(id));
		const paid = new Set(await listOrdersWithPayment(trx, finished));
		const neverPaid = finished.filter((id) => !paid.has(id));
		const files = [...(await listExtractFiles(trx, [...paid])), ...(await listAllFiles(trx, neverPaid))];
		const copiedIds = await lockCopies(trx, finished);
		const copies = copiedIds.map((id) => ({ orderIds: [id], remove: () => deleteOrderCopy(context.storage, id) }));
		const { failed, fault } = await deleteFiles([...(await planDeletions(context, trx, files)), ...copies]);
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
		return { erased, deleted, unfinished: present.filter((id) => !finished.includes(id)), fault };
	});
}

/** Deletes erased orders with their invoices and files, once the law no longer requires them. @returns the deleted orders. */
export async function deleteErasedOrders(
	context: RetentionContext,
	orderIds: readonly string[],
	{ wait }: { wait: boolean } = { wait: true },
): Promise<{ deleted: string[]; fault: unknown }> {
	return context.db.transaction().execute(async (trx) => {
		// the rule, checked under the lock; listOrdersToDelete only preselects
		const erased = (await lockOrders(trx, orderIds, { wait })).filter(({ erased_at }) => erased_at !== null).map(({ id }) => id);
		const numbers = (await listInvoiceNumbers(trx, erased)).map(({ order_id, number }) => ({
			orderIds: [order_id],
			remove: () => deleteNumber(context.storage, number),
		}));
		const files = await planDeletions(context, trx, await listAllFiles(trx, erased));
		const { failed, fault } = await deleteFiles([...files, ...numbers]);
		const deleted = erased.filter((id) => !failed.has(id));
		await deleteRows(trx, deleted);
		return { deleted, fault };
	});
}

/** The deletions outside the database. Other external data of orders, in a bucket or at a partner, would be added here. */
async function planDeletions({ storage }: RetentionContext, trx: Trx, files: readonly FileToDelete[]): Promise<FileDeletion[]> {
	return planFileDeletions(storage, trx, files, await listPathsOfOtherOrders(trx, files));
}

/** The files of documents. Uploaded files are not among them: erasing the order deleted those. */
async function listAllFiles(trx: Trx, orderIds: readonly string[]): Promise<FileToDelete[]> {
	const documents = await listStoredDocuments(trx, orderIds);
	return documents.map(({ id, order_id, storage_path }) => ({ orderId: order_id, path: storage_path, documentId: id }));
}

/** E-mails as they left go with `erased_at` or the order (migration 0046). */
async function anonymiseOrders(trx: Trx, orderIds: readonly string[], files: readonly FileToDelete[], now: Date): Promise<void> {
	// first, because a change of an order that has a copy requests a new copy
	await deleteCopyRows(trx, orderIds);
	await markExtractsDeleted(trx, files, now);
	await anonymiseReplaceReasons(trx, orderIds);
	await deleteSessions(trx, orderIds);
	await anonymiseMails(trx, orderIds);
	await anonymiseRequests(trx, orderIds);
	await deleteConversationsOfOrders(trx, orderIds);
	await anonymiseRefundNotes(trx, orderIds);
	await anonymisePostings(trx, orderIds);
	await deleteDrafts(trx, orderIds);
	await deleteNotes(trx, orderIds);
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
