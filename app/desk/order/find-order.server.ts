import { data } from "react-router";
import type { Order } from "../../orders/order.ts";
import { parseOrderNumber } from "../../orders/order-number.server.ts";
import { findOrderByReference } from "../../orders/orders.server.ts";
import type { Shop } from "../../shop.ts";

/** @returns the order of a page's address. @throws 404 when there is none. */
export async function findOrderOfPage({ db }: Pick<Shop, "db">, typed: string): Promise<Order> {
	const number = parseOrderNumber(typed);
	const order = number && (await findOrderByReference(db, { number }));
	if (!order) throw data(`La commande ${typed.slice(0, 40)} n’existe pas.`, { status: 404 });
	return order;
}
