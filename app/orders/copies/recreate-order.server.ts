import type { Trx } from "../../../server/database/database.ts";
import { logOrderEvent } from "../../../server/database/log-after-commit.ts";
import { getErrorCode } from "../../../server/types/errors.ts";
import { isUuid } from "../../../server/uuid.ts";
import { deleteOtherMails } from "../../mail/mails.store.server.ts";
import { parseInvoiceNumber } from "../invoices/invoice-number.ts";
import { deleteGap, moveSeries } from "../invoices/invoices.store.server.ts";
import { listOrdersOfPurchase } from "../orders.store.server.ts";
import {
	type CopiedRow,
	copiedTableNames,
	findTakenNumbers,
	insertCopyRow,
	isKeyTaken,
	lockRows,
	type OrderRows,
	orderExists,
	requestCopies,
	writeRows,
} from "./order-copies.store.server.ts";
import { type CopyContext, type CopyState, compareRows, copiesPrefix, findMissingRows, getCopyName, readCopy } from "./read-copy.server.ts";

export type RecreateResult =
	/**
	 * `made`: the order was lost; `brought-forward`: it was behind; `here`: there was nothing to do. `purchase`: the orders that its copy names
	 * as those of its purchase.
	 */
	| { ok: true; orderNumber: string; purchaseId: string; purchase: string[]; what: "made" | "brought-forward" | "here" }
	/**
	 * `numbers`: its invoice numbers that other orders have. `conflict`: another order has a unique value of it. `first-missing`: the first
	 * order of its purchase is lost, or lacks the payment or invoice that this one names.
	 */
	| {
			ok: false;
			orderNumber: string | null;
			code: "no-copy" | "unreadable" | "went-on" | "erased" | "numbers" | "conflict" | "first-missing";
			numbers: string[];
	  };

/**
 * Recreates or updates an order and the other orders of its purchase from their copies: the first one first, because payment and invoice
 * belong to it. The caller then asks the payment provider (syncPurchase), and jobs do the remaining work.
 * @returns the result of the order, and those of the others that were not complete.
 */
export async function recreatePurchase(
	context: CopyContext,
	orderId: string,
): Promise<{ asked: RecreateResult; others: { orderId: string; result: RecreateResult }[] }> {
	const stored = await readCopy(context, orderId);
	const ids = stored.ok ? stored.copy.purchase : [orderId];
	let asked: RecreateResult | null = null;
	const others: { orderId: string; result: RecreateResult }[] = [];
	for (const id of ids) {
		const result = await recreateOrder(context, id);
		if (id === orderId) asked = result;
		else if (!result.ok || result.what !== "here") others.push({ orderId: id, result });
	}
	if (asked === null) throw new Error(`the copy of order ${orderId} names a purchase without it`);
	return { asked, others };
}

/**
 * Recreates or updates an order from its copy in one transaction, with the same ids, numbers, invoices and mails, and advances the invoice
 * series. The first order of a purchase must be recreated before the others.
 */
export async function recreateOrder(context: CopyContext, orderId: string): Promise<RecreateResult> {
	const stored = await readCopy(context, orderId);
	const refuse = (
		code: Extract<RecreateResult, { ok: false }>["code"],
		orderNumber: string | null = null,
		numbers: string[] = [],
	): RecreateResult => ({
		ok: false,
		orderNumber,
		code,
		numbers,
	});
	if (!stored.ok) return refuse(stored.code);
	const { copy } = stored;
	const orderNumber = String(copy.orders[0]?.order_number);
	const purchaseId = String(copy.orders[0]?.purchase_id);
	const recreated = { ok: true, orderNumber, purchaseId, purchase: copy.purchase } as const;
	try {
		return await context.db.transaction().execute(async (trx) => {
			const current = await lockRows(trx, orderId);
			const state = compareRows(copy, current);
			if (state === "here") return { ...recreated, what: "here" } as const;
			// for example when the bucket was restored to an earlier day
			if (state === "erased") await context.storage.remove(getCopyName(orderId));
			if (state === "went-on" || state === "erased") return refuse(state, orderNumber);
			const taken = await findTakenNumbers(
				trx,
				orderId,
				copy.invoices.map(({ number }) => String(number)),
			);
			if (taken.length > 0) return refuse("numbers", orderNumber, taken);
			await writeCopy(trx, orderId, copy, current);
			const what = state === "lost" ? "made" : "brought-forward";
			logOrderEvent(trx, orderId, "recreated", { what });
			return { ...recreated, what } as const;
		});
	} catch (error) {
		// another order has a unique value, such as the same file
		if (getErrorCode(error) === "23505") return refuse("conflict", orderNumber);
		// a foreign key: only rows of the first order are named by others
		if (getErrorCode(error) === "23503" && purchaseId !== orderId) return refuse("first-missing", orderNumber);
		throw error;
	}
}

/**
 * Replaces the copy of an order by the database's state, even if the copy has more.
 * @returns false, without any change, when the database lacks the order, because the copy is then all that is left.
 */
export async function discardCopy({ db, storage }: CopyContext, orderId: string): Promise<boolean> {
	if (!(await orderExists(db, orderId))) return false;
	await storage.remove(getCopyName(orderId));
	await db.transaction().execute((trx) => requestCopies(trx, [orderId]));
	return true;
}

/** From what needs nobody to what needs an operator. */
const statesByWeight: readonly (CopyState | null)[] = [null, "here", "erased", "went-on"];

/**
 * Compares the orders of a purchase with their copies. It ends at the first order to recreate, because that is done for the whole purchase.
 * @returns the state of that order, else the worst one; null without a readable copy. `lost` also when a copy names an order that is
 * neither in the database nor among the copies.
 */
export async function compareWithCopies(context: CopyContext, purchaseId: string): Promise<CopyState | null> {
	const first = await readCopy(context, purchaseId);
	const named = first.ok ? first.copy.purchase : [purchaseId];
	// the payment provider may name orders of other shops
	const known = isUuid(purchaseId) ? (await listOrdersOfPurchase(context.db, purchaseId)).map(({ id }) => id) : [];
	let worst: CopyState | null = null;
	for (const id of new Set([...named, ...known])) {
		const stored = id === purchaseId ? first : await readCopy(context, id);
		const state = stored.ok
			? await context.db.transaction().execute(async (trx) => compareRows(stored.copy, await lockRows(trx, id)))
			: id === purchaseId || known.includes(id)
				? null
				: "lost";
		if (state === "lost" || state === "behind") return state;
		if (statesByWeight.indexOf(state) > statesByWeight.indexOf(worst)) worst = state;
	}
	return worst;
}

/** Finds an order by its number among the copies of orders that the database lacks. It reads each copy. */
export async function findLostOrder(context: CopyContext, orderNumber: string): Promise<string | null> {
	for await (const { path } of context.storage.list(copiesPrefix)) {
		const orderId = path.slice(copiesPrefix.length);
		if (await orderExists(context.db, orderId)) continue;
		const stored = await readCopy(context, orderId);
		if (stored.ok && stored.copy.orders[0]?.order_number === orderNumber) return orderId;
	}
	return null;
}

async function writeCopy(trx: Trx, orderId: string, copy: OrderRows, current: OrderRows | null): Promise<void> {
	if (current !== null) {
		const mailIds = (copy.mails ?? []).map(({ id }) => String(id));
		await deleteOtherMails(trx, orderId, mailIds);
	}
	for (const table of copiedTableNames) {
		const missing = current === null ? [] : findMissingRows(current, copy, table);
		// updates existing rows first, because a new extract or session may only exist once the previous one is closed
		const existing = (copy[table] ?? []).filter((row) => !missing.includes(row));
		const rows = table === "order_events" && current !== null ? missing : [...existing, ...missing];
		await writeRows(trx, table, table === "orders" ? await removeTakenKey(trx, orderId, rows) : rows);
	}
	if (current === null) {
		await insertCopyRow(trx, orderId);
		await requestCopies(trx, [orderId]);
	}
	const issuedNumbers = (copy.invoices ?? []).map(({ number, issued_at }) => {
		const invoiceNumber = parseInvoiceNumber(String(number));
		if (invoiceNumber === null) throw new Error(`the copy of order ${orderId} has an invoice without a number`);
		return { invoiceNumber, issuedAt: new Date(String(issued_at)) };
	});
	// invoices before credit notes, as everywhere else, to avoid deadlocks on the series
	issuedNumbers.sort((a, b) => b.invoiceNumber.kind.localeCompare(a.invoiceNumber.kind) || a.invoiceNumber.year - b.invoiceNumber.year);
	for (const { invoiceNumber, issuedAt } of issuedNumbers) {
		await moveSeries(trx, invoiceNumber, issuedAt);
		await deleteGap(trx, invoiceNumber);
	}
}

/** Removes the idempotency key of an order if another order has it by now. */
async function removeTakenKey(trx: Trx, orderId: string, rows: CopiedRow[]): Promise<CopiedRow[]> {
	const [order] = rows;
	const key = order?.idempotency_key;
	return typeof key === "string" && (await isKeyTaken(trx, orderId, key)) ? [{ ...order, idempotency_key: null }] : rows;
}
