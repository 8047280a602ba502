import { isUuid } from "../../../server/uuid.ts";
import type { StorageContext } from "../documents/storage.ts";
import { decryptCopy, type KeySource } from "./encrypt-copy.server.ts";
import { type CopiedRow, type CopiedTable, copiedTableNames, copiedTables, type OrderRows } from "./order-copies.store.server.ts";

/** What reading or writing the copy of an order needs. */
export type CopyContext = Pick<StorageContext, "db" | "environment" | "storage">;

export const copiesPrefix = "orders/";

/** Returns the name of the object with the copy of an order. */
export const getCopyName = (orderId: string) => `${copiesPrefix}${orderId}`;

/** The state of an order in the database compared with its copy. */
export type CopyState =
	/** The database lacks the order. */
	| "lost"
	/** The database has an earlier state than the copy. */
	| "behind"
	/** The database has everything in the copy. */
	| "here"
	/** Both have rows that the other lacks. */
	| "went-on"
	/** The order was anonymised after the copy. */
	| "erased";

/** Reads and decrypts the copy of an order. */
export async function readCopy(
	{ storage, environment }: Pick<StorageContext, "storage"> & { environment: KeySource },
	orderId: string,
): Promise<{ ok: true; copy: OrderRows } | { ok: false; code: "no-copy" | "unreadable" }> {
	const name = getCopyName(orderId);
	// the payment provider may name orders of other shops
	const bytes = isUuid(orderId) ? await storage.findObject(name) : null;
	if (bytes === null) return { ok: false, code: "no-copy" };
	const json = decryptCopy(environment, name, bytes);
	return json === null ? { ok: false, code: "unreadable" } : { ok: true, copy: JSON.parse(json) };
}

/** Compares by missing rows: except for mails, rows are only added during the life of an order. */
export function compareRows(copy: OrderRows, current: OrderRows | null): CopyState {
	if (current === null) return "lost";
	if (current.orders[0]?.erased_at) return "erased";
	const compared = copiedTableNames.filter((table) => table !== "mails");
	if (compared.every((table) => findMissingRows(current, copy, table).length === 0)) return "here";
	return compared.every((table) => findMissingRows(copy, current, table).length === 0) ? "behind" : "went-on";
}

/** Returns the rows of a table that one side lacks, including missing repetitions of equal events. */
export function findMissingRows(target: OrderRows, source: OrderRows, table: CopiedTable): CopiedRow[] {
	const identity = (row: CopiedRow) => JSON.stringify(copiedTables[table].map((column) => row[column]));
	// an old copy may lack a newer table
	const targetRows = (target[table] ?? []).map(identity);
	return (source[table] ?? []).filter((row) => {
		const index = targetRows.indexOf(identity(row));
		if (index !== -1) targetRows.splice(index, 1);
		return index === -1;
	});
}
