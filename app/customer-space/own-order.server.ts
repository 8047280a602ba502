import type { Context } from "../../server/runtime.ts";
import type { Order } from "../orders/order.ts";
import { parseOrderNumber } from "../orders/order-number.server.ts";
import { findOrderByNumber } from "./purchases.store.server.ts";

/** @returns null for a number that is none, and for an order of another mailbox. */
export async function findOwnOrder({ db }: Pick<Context, "db">, mailbox: string, typedNumber: string): Promise<Order | null> {
	const number = parseOrderNumber(typedNumber);
	return number && findOrderByNumber(db, mailbox, number);
}
