import { isUuid } from "../../server/uuid.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import { decryptCopy, type KeySource } from "./encrypt-copy.server.ts";
import { type CopiedRow, type CopiedTable, copiedTableNames, copiedTables, type OrderRows } from "./order-copies.store.server.ts";

export const copiesPrefix = "orders/";

/** The object that is the copy of an order. */
export const copyName = (orderId: string) => `${copiesPrefix}${orderId}`;

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

/** The rows that the copy of an order holds. */
export async function readCopy(
	{ storage, environment }: { storage: DocumentStorage; environment: KeySource },
	orderId: string,
): Promise<{ ok: true; copy: OrderRows } | { ok: false; code: "no-copy" | "unreadable" }> {
	const name = copyName(orderId);
	// the provider may know orders of other shops
	const bytes = isUuid(orderId) ? await storage.findObject(name) : null;
	if (bytes === null) return { ok: false, code: "no-copy" };
	const json = decryptCopy(environment, name, bytes);
	return json === null ? { ok: false, code: "unreadable" } : { ok: true, copy: JSON.parse(json) };
}

/** Rows are only added while an order lives, but for mails: whoever has rows that the other lacks is ahead of it. */
export function compareRows(copy: OrderRows, here: OrderRows | null): CopyState {
	if (here === null) return "lost";
	if (here.orders[0]?.erased_at) return "erased";
	const compared = copiedTableNames.filter((table) => table !== "mails");
	if (compared.every((table) => missingIn(here, copy, table).length === 0)) return "here";
	return compared.every((table) => missingIn(copy, here, table).length === 0) ? "behind" : "went-on";
}

/** The rows of a table that one has and the other lacks. Of equal events, as many as are missing. */
export function missingIn(lacking: OrderRows, having: OrderRows, table: CopiedTable): CopiedRow[] {
	const identity = (row: CopiedRow) => JSON.stringify(copiedTables[table].map((column) => row[column]));
	// a copy that was made before a table was there has none of its rows
	const known = (lacking[table] ?? []).map(identity);
	return (having[table] ?? []).filter((row) => {
		const place = known.indexOf(identity(row));
		if (place !== -1) known.splice(place, 1);
		return place === -1;
	});
}
