import type { Database } from "../../../server/database/database.ts";
import { guessQuery } from "./guess-query.server.ts";
import { type FoundOrder, findByNumber, findByWords } from "./search.store.server.ts";

/** Orders shown at most: who needs more types more. */
export const maxFound = 50;

export type SearchOutcome =
	| { ok: true; orders: FoundOrder[] /** The order that the typed number names. */; exact: FoundOrder | null; more: boolean }
	| { ok: false; code: "too-short" };

/** Finds orders by what an operator typed: a number, a name, an address, a company. The named one first, then the newest. */
export async function searchOrders(db: Database, typed: string): Promise<SearchOutcome> {
	const guess = guessQuery(typed);
	if (guess === null) return { ok: false, code: "too-short" };
	const [named, worded] = await Promise.all([findByNumber(db, guess), findByWords(db, guess, maxFound + 1)]);
	const others = worded.filter(({ id }) => named.every((order) => order.id !== id));
	const orders = [...named, ...others].slice(0, maxFound);
	return { ok: true, orders, exact: named.length === 1 ? (named[0] ?? null) : null, more: worded.length > maxFound };
}
