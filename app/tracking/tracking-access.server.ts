import { href, redirect } from "react-router";
import { createAccessCookie, deleteAccessCookie, readAccessCookie } from "../orders/access-cookie.server.ts";
import type { Order } from "../orders/order.ts";
import { findOrder } from "../orders/orders.server.ts";
import type { Shop } from "../shop.ts";

/** The cookie's path: the tracking pages and their streams, without the form at /suivi-commande. */
const cookiePath = "/suivi";

/** @returns the order of `/suivi/{number}`, if this browser gave its e-mail and number within the last hour. */
export async function findTrackedOrder(shop: Shop, request: Request, number: string | undefined): Promise<Order | null> {
	const orderId = number === undefined ? null : readAccessCookie(shop, "tracking", request);
	const order = orderId && (await findOrder(shop.db, orderId));
	return order && order.order_number === number && order.erased_at === null ? order : null;
}

/** Gives this browser access to an order, and redirects to its page. */
export function openTracking(shop: Shop, order: Order): Response {
	return redirect(href("/suivi/:number", { number: order.order_number }), {
		status: 303,
		headers: { "set-cookie": createAccessCookie(shop, "tracking", { orderId: order.id, path: cookiePath }) },
	});
}

/** Removes this browser's access, and redirects to the form. */
export function closeTracking(shop: Shop): Response {
	return redirect(href("/suivi-commande"), {
		status: 303,
		headers: { "set-cookie": deleteAccessCookie(shop, "tracking", cookiePath) },
	});
}
