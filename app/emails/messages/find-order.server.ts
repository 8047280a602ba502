import type { Database } from "../../../server/database/database.ts";
import { day } from "../../../server/durations.ts";
import { parseOrderNumber } from "../../orders/order-number.server.ts";
import { findOrderByReference, listFirstOrdersOfCustomer } from "../../orders/orders.store.server.ts";
import type { Conversation } from "./conversations.store.server.ts";

/**
 * The order of a message, and how it is known: by what it answers, or an operator's word (`request`), by a number in its text, or by the
 * sender's address, which is a guess. Both null: there is none.
 */
export type FoundOrder = Pick<Conversation, "order_id" | "order_found">;

/** Whether the order is a guess: a reply does not name it until an operator has confirmed it. */
export const isGuess = ({ order_found }: Pick<FoundOrder, "order_found">): boolean => order_found === "address";

/** Numbers in one text, at most. */
const maxNumbers = 10;
/** Milliseconds: an older order of the sender is hardly what a message is about. */
const recent = 180 * day;

/**
 * Finds the order that a message is about: the first number in its text that exists, else the sender's latest order. A number proves
 * nothing about the sender, so that the reply says no more than the sender's own address may know.
 */
export async function findOrderOfMessage(
	db: Database,
	{ text, email, now }: { text: string; email: string; now: Date },
): Promise<FoundOrder> {
	const typed = [...text.matchAll(/\bKB[\s-]?[0-9A-Z]{4}[\s-]?[0-9A-Z]{4}\b/gi)].slice(0, maxNumbers);
	for (const [candidate] of typed) {
		const number = parseOrderNumber(candidate);
		const order = number && (await findOrderByReference(db, { number }));
		if (order) return { order_id: order.id, order_found: "number" };
	}
	const [latest] = await listFirstOrdersOfCustomer(db, email, { since: new Date(now.getTime() - recent), limit: 1 });
	return latest ? { order_id: latest.id, order_found: "address" } : { order_id: null, order_found: null };
}
