import { href, redirect } from "react-router";
import type { Context } from "../../../server/runtime.ts";
import type { Order } from "../../orders/order.ts";
import { findOrder, listOrdersOfPurchase } from "../../orders/orders.server.ts";
import type { TrackingAccess } from "../../orders/tracking-tokens.server.ts";
import { privateHeaders } from "../../web/http.ts";
import { findTrackedOrder, redirectWithAccess } from "../tracking-access.server.ts";
import type { Visit } from "../visits/visits.server.ts";

/** @returns the first order of a purchase, and its access, when this browser may see the whole. @param number of the first order. */
export async function findTrackedPurchase(
	context: Context,
	request: Request,
	number: string,
): Promise<{ first: Order; access: TrackingAccess; visit: Visit } | null> {
	const tracked = await findTrackedOrder(context, request, number);
	if (!tracked?.opensPurchase || tracked.order.id !== tracked.order.purchase_id) return null;
	return { first: tracked.order, access: tracked.access, visit: tracked.visit };
}

/** Opens the page of one line from the page of its purchase, with the access that this browser has there. */
export async function openLine(context: Context, request: Request, { number, line }: { number: string; line: string }): Promise<Response> {
	const purchase = await findTrackedPurchase(context, request, number);
	if (purchase === null) return redirect(href("/suivi/:number/ensemble", { number }), { status: 303, headers: privateHeaders });
	const { first, access, visit } = purchase;
	// the first order has its access already
	const order = (await listOrdersOfPurchase(context.db, first.id)).find(({ purchase_line }) => String(purchase_line) === line);
	if (order === undefined || order.id === first.id)
		return redirect(href("/suivi/:number", { number }), { status: 303, headers: privateHeaders });
	const cookie = access === "full" ? "whole" : "purchase";
	return redirectWithAccess(context, href("/suivi/:number", { number: order.order_number }), order, cookie, visit);
}

/**
 * Opens the page of the purchase from that of one of its orders, if the order was opened from there or from the customer's space. Who came
 * by an e-mail about the order, or typed what it says, stays at the order: even the number of the purchase is not told.
 */
export async function openPurchaseOfOrder(context: Context, request: Request, number: string): Promise<Response> {
	const tracked = await findTrackedOrder(context, request, number);
	const first = tracked && (await findOrder(context.db, tracked.order.purchase_id));
	if (!tracked?.opensPurchase || first === null)
		return redirect(href("/suivi/:number", { number }), { status: 303, headers: privateHeaders });
	const page = href("/suivi/:number/ensemble", { number: first.order_number });
	if (first.id !== tracked.order.id)
		return redirectWithAccess(context, page, first, tracked.access === "full" ? "full" : "purchase", tracked.visit);
	return redirect(page, { status: 303, headers: privateHeaders });
}
