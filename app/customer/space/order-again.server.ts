import type { RouterContextProvider } from "react-router";
import type { Context } from "../../../server/runtime.ts";
import { redirectToNextOrder } from "../../checkout/form/next-order.server.ts";
import type { Order } from "../../orders/order.ts";
import { parseOrderNumber } from "../../orders/order-number.server.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { findOrderByNumber, listOrders } from "./purchases.store.server.ts";

/**
 * « Commander à nouveau »: redirects to the order form, filled in from an order of this mailbox.
 * @param what is ordered again: the company of the order, all those of its purchase with their services and references, or none.
 * @returns null when the mailbox has no such order.
 */
export async function orderAgain(
	context: Readonly<RouterContextProvider>,
	mailbox: string,
	{ number, what }: { number: string; what: "order" | "purchase" | "none" },
): Promise<Response | null> {
	const shop = context.get(shopContext);
	const order = await findOwnOrder(shop, mailbox, number);
	if (order === null) return null;
	const purchase = what === "purchase" ? await listOrders(shop.db, mailbox, [order.purchase_id]) : [];
	return redirectToNextOrder(shop, context.get(clientContext).key, order, what === "order" ? [order] : purchase);
}

/** @returns null for a number that is none, and for an order of another mailbox. */
export async function findOwnOrder({ db }: Pick<Context, "db">, mailbox: string, typedNumber: string): Promise<Order | null> {
	const number = parseOrderNumber(typedNumber);
	return number && findOrderByNumber(db, mailbox, number);
}
