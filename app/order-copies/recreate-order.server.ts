import type { Trx } from "../../server/database/database.ts";
import { logOrderEvent } from "../../server/database/log-after-commit.ts";
import { getErrorCode } from "../../server/types/errors.ts";
import { parseInvoiceNumber } from "../invoices/invoice-number.ts";
import { deleteGap, moveSeries } from "../invoices/invoices.server.ts";
import { deleteOtherMails } from "../mail/mails.server.ts";
import type { CopyDeps } from "./copy-order.server.ts";
import {
	type CopiedRow,
	copiedTableNames,
	findTakenNumbers,
	isHere,
	isKeyTaken,
	lockRows,
	type OrderRows,
	requestCopies,
	writeRows,
} from "./order-copies.store.server.ts";
import { type CopyState, compareRows, copiesPrefix, copyName, missingIn, readCopy } from "./read-copy.server.ts";

export type Recreated =
	/** `made`: it was lost; `brought-forward`: it was behind; `here`: there was nothing to do. */
	| { ok: true; orderNumber: string; what: "made" | "brought-forward" | "here" }
	/** `numbers`: of its invoices, which other orders have here. `conflict`: another row stands in the way. */
	| {
			ok: false;
			orderNumber: string | null;
			code: "no-copy" | "unreadable" | "went-on" | "erased" | "numbers" | "conflict";
			numbers: string[];
	  };

/**
 * Makes an order again from its copy, or brings it forward to it, in one transaction: the same ids, numbers, invoices and mails. The
 * series of invoices go on behind its numbers. The caller then asks the payment provider (syncOrder); what is left to do is done by the
 * jobs, as for any order that lies still. Does nothing where the order has all that its copy has.
 */
export async function recreateOrder(deps: CopyDeps, orderId: string): Promise<Recreated> {
	const found = await readCopy(deps, orderId);
	const refuse = (
		code: Extract<Recreated, { ok: false }>["code"],
		orderNumber: string | null = null,
		numbers: string[] = [],
	): Recreated => ({
		...{ ok: false, orderNumber, code, numbers },
	});
	if (!found.ok) return refuse(found.code);
	const { copy } = found;
	const orderNumber = String(copy.orders[0]?.order_number);
	try {
		return await deps.db.transaction().execute(async (trx) => {
			const here = await lockRows(trx, orderId);
			const state = compareRows(copy, here);
			if (state === "here") return { ok: true, orderNumber, what: "here" } as const;
			// such as a bucket that was brought back to an earlier day
			if (state === "erased") await deps.storage.remove(copyName(orderId));
			if (state === "went-on" || state === "erased") return refuse(state, orderNumber);
			const taken = await findTakenNumbers(
				trx,
				orderId,
				copy.invoices.map(({ number }) => String(number)),
			);
			if (taken.length > 0) return refuse("numbers", orderNumber, taken);
			await writeCopy(trx, orderId, copy, here);
			const what = state === "lost" ? "made" : "brought-forward";
			logOrderEvent(trx, orderId, "recreated", { what });
			return { ok: true, orderNumber, what } as const;
		});
	} catch (error) {
		// a unique row of another order, such as the same file given to it since
		if (getErrorCode(error) === "23505") return refuse("conflict", orderNumber);
		throw error;
	}
}

/**
 * Has what is here count: the copy of an order is made anew, whatever it has that this database lacks.
 * @returns false, and nothing is changed, when the order is not here: its copy is all that is left of it.
 */
export async function discardCopy({ db, storage }: Pick<CopyDeps, "db" | "storage">, orderId: string): Promise<boolean> {
	if (!(await isHere(db, orderId))) return false;
	await storage.remove(copyName(orderId));
	await db.transaction().execute((trx) => requestCopies(trx, [orderId]));
	return true;
}

/** How an order here stands to its copy; null when it has none that can be read. */
export async function compareWithCopy(deps: CopyDeps, orderId: string): Promise<CopyState | null> {
	const found = await readCopy(deps, orderId);
	if (!found.ok) return null;
	return deps.db.transaction().execute(async (trx) => compareRows(found.copy, await lockRows(trx, orderId)));
}

/** The order of this number among the copies of orders that are not here; null when none is. Reads each of them. */
export async function findLostOrder(deps: CopyDeps, orderNumber: string): Promise<string | null> {
	for await (const { path } of deps.storage.list(copiesPrefix)) {
		const orderId = path.slice(copiesPrefix.length);
		if (await isHere(deps.db, orderId)) continue;
		const found = await readCopy(deps, orderId);
		if (found.ok && found.copy.orders[0]?.order_number === orderNumber) return orderId;
	}
	return null;
}

async function writeCopy(trx: Trx, orderId: string, copy: OrderRows, here: OrderRows | null): Promise<void> {
	if (here !== null) {
		const kept = (copy.mails ?? []).map(({ id }) => String(id));
		await deleteOtherMails(trx, orderId, kept);
	}
	for (const table of copiedTableNames) {
		const missing = here === null ? [] : missingIn(here, copy, table);
		// what is here is brought up to date first: an extract is replaced before there is another one, a session closed before the next
		const known = (copy[table] ?? []).filter((row) => !missing.includes(row));
		const rows = table === "order_events" && here !== null ? missing : [...known, ...missing];
		await writeRows(trx, table, table === "orders" ? await withFreeKey(trx, orderId, rows) : rows);
	}
	const issued = (copy.invoices ?? []).map(({ number, issued_at }) => {
		const known = parseInvoiceNumber(String(number));
		if (known === null) throw new Error(`the copy of order ${orderId} has an invoice without a number`);
		return { known, issuedAt: new Date(String(issued_at)) };
	});
	// invoices before credit notes, as everywhere: two orders that lock the series in different orders would wait for each other
	issued.sort((one, other) => other.known.kind.localeCompare(one.known.kind) || one.known.year - other.known.year);
	for (const { known, issuedAt } of issued) {
		await moveSeries(trx, known, issuedAt);
		await deleteGap(trx, known);
	}
}

/** The key under which a customer's browser sent the order names one order: another one may have come under it since. */
async function withFreeKey(trx: Trx, orderId: string, rows: CopiedRow[]): Promise<CopiedRow[]> {
	const [order] = rows;
	const key = order?.idempotency_key;
	return typeof key === "string" && (await isKeyTaken(trx, orderId, key)) ? [{ ...order, idempotency_key: null }] : rows;
}
