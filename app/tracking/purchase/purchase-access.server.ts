import { href, redirect } from "react-router";
import type { Context } from "../../../server/runtime.ts";
import { mayAsk } from "../../orders/access.ts";
import { findOrder, listOrdersOfPurchase } from "../../orders/orders.server.ts";
import { privateHeaders } from "../../web/http.ts";
import { cookieOf, findTrackedOrder, redirectWithAccess, type TrackedOrder } from "../tracking-access.server.ts";
import { isPurchaseAccess, type PurchaseAccess } from "./describe-purchase.server.ts";

export type TrackedPurchase =
	| ({ state: "open" } & TrackedOrder & { access: PurchaseAccess })
	| ({ state: "line" } & TrackedOrder)
	| ({ state: "refused" } & TrackedOrder)
	| { state: "closed" };

/**
 * Finds the first order of a purchase under its number.
 * @returns `closed`: this browser has no access to that order. `refused`: it may see that order alone. `line`: it may see the purchase, which
 * has the number of another order.
 */
export async function findTrackedPurchase(context: Context, request: Request, number: string): Promise<TrackedPurchase> {
	const tracked = await findTrackedOrder(context, request, number);
	if (tracked === null) return { state: "closed" };
	const { access, order } = tracked;
	if (!isPurchaseAccess(access)) return { state: "refused", ...tracked };
	return order.id === order.purchase_id ? { state: "open", ...tracked, access } : { state: "line", ...tracked };
}

/** Opens the page of one line from the page of its purchase, with the access that this browser has there. */
export async function openLine(context: Context, request: Request, { number, line }: { number: string; line: string }): Promise<Response> {
	const purchase = await findTrackedPurchase(context, request, number);
	// that page says why, asks for e-mail and number, or leads to the purchase
	if (purchase.state !== "open") return redirect(href("/suivi/:number/ensemble", { number }), { status: 303, headers: privateHeaders });
	const { order: first, access, visit } = purchase;
	// the first order has its access already
	const order = (await listOrdersOfPurchase(context.db, first.id)).find(({ purchase_line }) => String(purchase_line) === line);
	if (order === undefined || order.id === first.id)
		return redirect(href("/suivi/:number", { number }), { status: 303, headers: privateHeaders });
	return redirectWithAccess(context, href("/suivi/:number", { number: order.order_number }), order, cookieOf[access], visit);
}

/**
 * Opens the page of the purchase from that of one of its orders, if the order was opened from there or from the customer's space. Who came
 * by an e-mail about the order, or typed what it says, stays at the order: even the number of the purchase is not told.
 */
export async function openPurchaseOfOrder(context: Context, request: Request, number: string): Promise<Response> {
	const tracked = await findTrackedOrder(context, request, number);
	const first = tracked && mayAsk(tracked.access, "read-purchase") ? await findOrder(context.db, tracked.order.purchase_id) : null;
	// that page says why
	if (tracked === null || first === null)
		return redirect(href("/suivi/:number/ensemble", { number }), { status: 303, headers: privateHeaders });
	const page = href("/suivi/:number/ensemble", { number: first.order_number });
	if (first.id !== tracked.order.id) return redirectWithAccess(context, page, first, cookieOf[tracked.access], tracked.visit);
	return redirect(page, { status: 303, headers: privateHeaders });
}
