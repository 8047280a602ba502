import type { Trx } from "../../../server/database/database.ts";
import { computeRetentionCutoff, retention } from "../../catalogue/retention.ts";
import { deleteConversationsOfOrders } from "../../emails/messages/conversations.store.server.ts";
import { deleteDrafts } from "../../fulfilment/drafts/drafts.store.server.ts";
import { anonymisePostings, deleteExtractRequests, listPathsOfOtherOrders } from "../../fulfilment/extract-requests.store.server.ts";
import { deleteNotes } from "../../fulfilment/notes/notes.store.server.ts";
import { anonymiseMails, deleteMails } from "../../mail/mails.store.server.ts";
import { deleteOrderCopy } from "../../orders/copies/copy-order.server.ts";
import { deleteCopyRows, lockCopies, requestCopies } from "../../orders/copies/order-copies.store.server.ts";
import { anonymiseRequests, deleteRequests } from "../../orders/customer-requests.store.server.ts";
import { deleteFiles, type FileDeletion, type FileToDelete, planFileDeletions } from "../../orders/documents/delete-files.server.ts";
import {
	anonymiseReplaceReasons,
	deleteDocuments,
	deleteOpenings,
	listStoredDocuments,
} from "../../orders/documents/documents.store.server.ts";
import { anonymiseCustomers, archiveCustomers, deleteOrders } from "../../orders/erased-orders.store.server.ts";
import { deleteInvoices, listInvoiceNumbers } from "../../orders/invoices/invoices.store.server.ts";
import { deleteNumber } from "../../orders/invoices/issued-numbers.server.ts";
import { recordMailboxes } from "../../orders/invoices/mailbox-fingerprints.server.ts";
import type { Order } from "../../orders/order.ts";
import { lockOrders } from "../../orders/orders.store.server.ts";
import { anonymiseRefundNotes } from "../../orders/refunds/refund-notes.store.server.ts";
import { deletePayments, listOrdersWithPayment } from "../../orders/refunds/refunds.store.server.ts";
import { deleteSessions, listPurchasesWithOpenSession } from "../../payments/payments.store.server.ts";
import { anonymiseSandboxCustomers } from "../../payments/sandbox/sandbox.store.server.ts";
import { listExtractFiles, markExtractsDeleted } from "./delete-old-extracts.server.ts";
import type { RetentionContext } from "./purge.server.ts";
import { listFinished, listKeptContracts, listOrdersOfPurchases } from "./retention.store.server.ts";

/**
 * Ids of orders. `archived`: only the contract stays, which the law has kept for longer. `unfinished`: these stay unchanged. An order in none
 * of the lists was already erased, does not exist, is locked by another transaction, or failed (`fault`).
 */
export type ErasedOrders = Record<"erased" | "deleted" | "archived" | "unfinished", string[]> & {
	/** The error of a deletion outside the database; the orders concerned stay unchanged. Undefined when nothing failed. */
	fault: unknown;
};

/**
 * Erases the customers of finished orders, in one transaction, each with all orders of its purchase, because they share payment and invoice.
 * A purchase without payment is deleted with all its rows. Paid orders keep company, amounts and invoices, because the law requires the
 * accounts for ten years. A purchase of 120 € or more is archived until ten years after its delivery: it keeps the customer, its terms, the
 * confirmation and the invoices, and loses all else (docs/rules.md, R211). A purchase with an unfinished order stays unchanged.
 * @param skipLocked skips purchases of which another transaction has locked an order, instead of waiting for it.
 * @param findableBy "mailbox": who holds the customer's mailbox still finds the invoices (docs/rules.md, R173). "nobody": the customer asked
 * for the erasure.
 */
export async function eraseOrders(
	context: RetentionContext,
	orderIds: readonly string[],
	{ skipLocked = false, findableBy = "nobody" }: { skipLocked?: boolean; findableBy?: "mailbox" | "nobody" } = {},
): Promise<ErasedOrders> {
	return context.db.transaction().execute(async (trx) => {
		const present = (await lockWholePurchases(trx, orderIds, { skipLocked })).filter(({ erased_at }) => erased_at === null);
		const payable = new Set(await listPurchasesWithOpenSession(trx, toPurchaseIds(present)));
		// the rule, checked under the lock; the lists of the purge only preselect
		const finishedIds = new Set(await listFinished(trx, toIds(present)));
		const [finished, unfinished] = splitByPurchase(present, ({ id, purchase_id }) => finishedIds.has(id) && !payable.has(purchase_id));
		const paidPurchases = new Set(await listOrdersWithPayment(trx, toPurchaseIds(finished)));
		const isPaid = ({ purchase_id }: Order) => paidPurchases.has(purchase_id);
		const contractsSince = computeRetentionCutoff(context.now(), retention.contracts);
		const contracts = new Set(await listKeptContracts(trx, [...paidPurchases], contractsSince));
		const isArchived = ({ purchase_id }: Order) => contracts.has(purchase_id);
		const neverPaid = finished.filter((order) => !isPaid(order));
		const extracts = await listExtractFiles(trx, toIds(finished));
		const copies = (await lockCopies(trx, toIds(finished))).map((id) => ({
			orderIds: [id],
			remove: () => deleteOrderCopy(context.storage, id),
		}));
		const deletions = await planDeletions(context, trx, [...extracts, ...(await listAllFiles(trx, toIds(neverPaid)))]);
		const { failed, fault } = await deleteFiles([...deletions, ...copies]);
		const [done, unchanged] = splitByPurchase(finished, ({ id }) => !failed.has(id));
		await requestCopies(trx, toIds(unchanged));

		const erased = toIds(done.filter((order) => isPaid(order) && !isArchived(order)));
		const archived = toIds(done.filter(isArchived));
		const [erasedIds, archivedIds] = [new Set(erased), new Set(archived)];
		const deleted = toIds(done.filter((order) => !isPaid(order)));
		await anonymiseSandboxCustomers(trx, [...erased, ...deleted, ...archived]);
		await deleteRows(trx, deleted);
		await anonymiseOrders(
			trx,
			erased,
			extracts.filter(({ orderId }) => erasedIds.has(orderId)),
			context.now(),
		);
		await archiveOrders(
			trx,
			archived,
			extracts.filter(({ orderId }) => archivedIds.has(orderId)),
			context.now(),
		);
		if (findableBy === "mailbox")
			await recordMailboxes(
				context,
				trx,
				done.filter(({ id }) => erasedIds.has(id)),
			);
		return { erased, deleted, archived, unfinished: toIds(unfinished), fault };
	});
}

/**
 * Deletes erased orders with their invoices and files, once the law no longer requires them. Skips purchases of which another transaction has
 * locked an order. @returns the deleted orders.
 */
export async function deleteErasedOrders(
	context: RetentionContext,
	orderIds: readonly string[],
): Promise<{ deleted: string[]; fault: unknown }> {
	return context.db.transaction().execute(async (trx) => {
		// the rule, checked under the lock; listOrdersToDelete only preselects
		const erased = (await lockWholePurchases(trx, orderIds, { skipLocked: true })).filter(({ erased_at }) => erased_at !== null);
		const numbers = (await listInvoiceNumbers(trx, toIds(erased))).map(({ order_id, number }) => ({
			orderIds: [order_id],
			remove: () => deleteNumber(context.storage, number),
		}));
		const files = await planDeletions(context, trx, await listAllFiles(trx, toIds(erased)));
		const { failed, fault } = await deleteFiles([...files, ...numbers]);
		const [done] = splitByPurchase(erased, ({ id }) => !failed.has(id));
		await deleteRows(trx, toIds(done));
		return { deleted: toIds(done), fault };
	});
}

/** Locks these orders and all orders of their purchases, in the order of their ids. Without a purchase that it could not lock whole. */
async function lockWholePurchases(trx: Trx, orderIds: readonly string[], { skipLocked }: { skipLocked: boolean }): Promise<Order[]> {
	const expected = await listOrdersOfPurchases(trx, orderIds);
	const locked = await lockOrders(trx, toIds(expected), { skipLocked });
	const lockedIds = new Set(toIds(locked));
	const incomplete = new Set(toPurchaseIds(expected.filter(({ id }) => !lockedIds.has(id))));
	return locked.filter(({ purchase_id }) => !incomplete.has(purchase_id));
}

/** Splits orders: first those of purchases all of whose orders pass, then the others. */
function splitByPurchase(orders: readonly Order[], passes: (order: Order) => boolean): [passing: Order[], others: Order[]] {
	const stopped = new Set(toPurchaseIds(orders.filter((order) => !passes(order))));
	return [orders.filter(({ purchase_id }) => !stopped.has(purchase_id)), orders.filter(({ purchase_id }) => stopped.has(purchase_id))];
}

const toIds = (orders: readonly { id: string }[]) => orders.map(({ id }) => id);
const toPurchaseIds = (orders: readonly { purchase_id: string }[]) => [...new Set(orders.map(({ purchase_id }) => purchase_id))];

/** The deletions outside the database. Other external data of orders, in a bucket or at a partner, would be added here. */
async function planDeletions({ storage }: RetentionContext, trx: Trx, files: readonly FileToDelete[]): Promise<FileDeletion[]> {
	return planFileDeletions(storage, trx, files, await listPathsOfOtherOrders(trx, files));
}

/** The files of documents. Uploaded files are not among them: listExtractFiles has those. */
async function listAllFiles(trx: Trx, orderIds: readonly string[]): Promise<FileToDelete[]> {
	const documents = await listStoredDocuments(trx, orderIds);
	return documents.map(({ id, order_id, storage_path }) => ({ orderId: order_id, path: storage_path, documentId: id }));
}

/** E-mails as they left and shares of documents go with `erased_at`, by triggers, or with the order. */
async function anonymiseOrders(trx: Trx, orderIds: readonly string[], files: readonly FileToDelete[], now: Date): Promise<void> {
	// first, because a change of an order that has a copy requests a new copy
	await deleteCopyRows(trx, orderIds);
	await clearAllButContract(trx, orderIds, files, now);
	await anonymiseCustomers(trx, orderIds, now);
}

/** Keeps of these orders what the law has kept of a contract. E-mails but the confirmation, and shares, go with `archived_at`, by a trigger. */
async function archiveOrders(trx: Trx, orderIds: readonly string[], files: readonly FileToDelete[], now: Date): Promise<void> {
	await clearAllButContract(trx, orderIds, files, now);
	await archiveCustomers(trx, orderIds, now);
	// the previous copy is deleted: it has what goes here, and a copy with more than the database is never replaced
	await requestCopies(trx, orderIds);
}

async function clearAllButContract(trx: Trx, orderIds: readonly string[], files: readonly FileToDelete[], now: Date): Promise<void> {
	await markExtractsDeleted(trx, files, now);
	await anonymiseReplaceReasons(trx, orderIds);
	await deleteOpenings(trx, orderIds);
	await deleteSessions(trx, orderIds);
	await anonymiseMails(trx, orderIds);
	await anonymiseRequests(trx, orderIds);
	await deleteConversationsOfOrders(trx, orderIds);
	await anonymiseRefundNotes(trx, orderIds);
	await anonymisePostings(trx, orderIds);
	await deleteDrafts(trx, orderIds);
	await deleteNotes(trx, orderIds);
}

async function deleteRows(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await deleteMails(trx, orderIds);
	await deleteInvoices(trx, orderIds);
	await deleteDocuments(trx, orderIds);
	await deletePayments(trx, orderIds);
	await deleteSessions(trx, orderIds);
	await deleteRequests(trx, orderIds);
	await deleteExtractRequests(trx, orderIds);
	await deleteOrders(trx, orderIds);
}
