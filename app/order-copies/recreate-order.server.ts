import type { Trx } from "../../server/database.ts";
import { logOrderEvent } from "../../server/log-after-commit.ts";
import { isUuid } from "../../server/uuid.ts";
import { parseInvoiceNumber } from "../invoices/invoice-number.ts";
import { deleteGap, moveSeries } from "../invoices/invoices.store.server.ts";
import { type CopyDeps, copiesPrefix, copyName } from "./copy-order.server.ts";
import { decryptCopy } from "./encrypt-copy.server.ts";
import {
	type CopiedRow,
	type CopiedTable,
	copiedTableNames,
	copiedTables,
	deleteOtherMails,
	findTakenNumbers,
	isHere,
	isKeyTaken,
	lockRows,
	type OrderRows,
	writeRows,
} from "./order-copies.store.server.ts";

/** How an order here stands to its copy. */
export type CopyState =
	/** Not here at all. */
	| "lost"
	/** Here as it was some time before the copy. */
	| "behind"
	/** Here with everything that its copy has. */
	| "here"
	/** Both went on from there: neither has all of it. */
	| "went-on"
	/** Here without its customer, who was erased since. */
	| "erased";

export type Recreated =
	/** `made`: it was lost; `brought-forward`: it was behind; `here`: there was nothing to do. */
	| { ok: true; orderNumber: string; what: "made" | "brought-forward" | "here" }
	/** `numbers`: of its invoices, which other orders have here. `conflict`: another row stands in the way. */
	| {
			ok: false;
			orderNumber: string | null;
			why: "no-copy" | "unreadable" | "went-on" | "erased" | "numbers" | "conflict";
			numbers: string[];
	  };

/**
 * Makes an order again from its copy, or brings it forward to it, in one transaction: the same ids, numbers, invoices and mails. The
 * series of invoices go on behind its numbers. The caller then asks the payment provider (settleOrder); what is left to do is done by the
 * jobs, as for any order that lies still. Does nothing where the order has all that its copy has.
 */
export async function recreateOrder(deps: CopyDeps, orderId: string): Promise<Recreated> {
	const found = await readCopy(deps, orderId);
	const refuse = (why: Extract<Recreated, { ok: false }>["why"], orderNumber: string | null = null, numbers: string[] = []): Recreated => ({
		...{ ok: false, orderNumber, why, numbers },
	});
	if (!found.ok) return refuse(found.why);
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
		if ((error as { code?: string }).code === "23505") return refuse("conflict", orderNumber);
		throw error;
	}
}

/** How an order here stands to its copy; null when it has none that can be read. */
export async function compareWithCopy(deps: CopyDeps, orderId: string): Promise<CopyState | null> {
	const found = await readCopy(deps, orderId);
	if (!found.ok) return null;
	return deps.db.transaction().execute(async (trx) => compareRows(found.copy, await lockRows(trx, orderId)));
}

/** The rows that the copy of an order holds. */
export async function readCopy(
	{ storage, environment }: Pick<CopyDeps, "storage" | "environment">,
	orderId: string,
): Promise<{ ok: true; copy: OrderRows } | { ok: false; why: "no-copy" | "unreadable" }> {
	const name = copyName(orderId);
	// the provider may know orders of other shops
	const bytes = isUuid(orderId) ? await storage.findObject(name) : null;
	if (bytes === null) return { ok: false, why: "no-copy" };
	const json = decryptCopy(environment, name, bytes);
	return json === null ? { ok: false, why: "unreadable" } : { ok: true, copy: JSON.parse(json) as OrderRows };
}

/** The order of this number among the copies of orders that are not here; null when none is. Reads each of them. */
export async function findLostOrder(deps: CopyDeps, orderNumber: string): Promise<string | null> {
	for await (const name of deps.storage.listObjects(copiesPrefix)) {
		const orderId = name.slice(copiesPrefix.length);
		if (await isHere(deps.db, orderId)) continue;
		const found = await readCopy(deps, orderId);
		if (found.ok && found.copy.orders[0]?.order_number === orderNumber) return orderId;
	}
	return null;
}

/** Rows are only added while an order lives, but for mails: whoever has rows that the other lacks is ahead of it. */
function compareRows(copy: OrderRows, here: OrderRows | null): CopyState {
	if (here === null) return "lost";
	if (here.orders[0]?.erased_at) return "erased";
	const compared = copiedTableNames.filter((table) => table !== "mails");
	if (compared.every((table) => missingIn(here, copy, table).length === 0)) return "here";
	return compared.every((table) => missingIn(copy, here, table).length === 0) ? "behind" : "went-on";
}

/** The rows of a table that one has and the other lacks. Of equal events, as many as are missing. */
function missingIn(lacking: OrderRows, having: OrderRows, table: CopiedTable): CopiedRow[] {
	const identity = (row: CopiedRow) => JSON.stringify(copiedTables[table].map((column) => row[column]));
	// a copy that was made before a table was there has none of its rows
	const known = (lacking[table] ?? []).map(identity);
	return (having[table] ?? []).filter((row) => {
		const place = known.indexOf(identity(row));
		if (place !== -1) known.splice(place, 1);
		return place === -1;
	});
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
	for (const { number, issued_at } of copy.invoices ?? []) {
		const known = parseInvoiceNumber(String(number));
		if (known === null) throw new Error(`the copy of order ${orderId} has an invoice without a number`);
		await moveSeries(trx, known, new Date(String(issued_at)));
		await deleteGap(trx, known);
	}
}

/** The key under which a customer's browser sent the order names one order: another one may have come under it since. */
async function withFreeKey(trx: Trx, orderId: string, rows: CopiedRow[]): Promise<CopiedRow[]> {
	const [order] = rows;
	const key = order?.idempotency_key;
	return typeof key === "string" && (await isKeyTaken(trx, orderId, key)) ? [{ ...order, idempotency_key: null }] : rows;
}
