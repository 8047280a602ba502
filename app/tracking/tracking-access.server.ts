import { href, redirect } from "react-router";
import type { Context } from "../../server/runtime.ts";
import { typedKeys } from "../../server/types/objects.ts";
import { createAccessCookies, readAccessCookie } from "../orders/access-cookie.server.ts";
import type { CustomerToken } from "../orders/customer-token.server.ts";
import type { Order } from "../orders/order.ts";
import { parseOrderNumber } from "../orders/order-number.server.ts";
import { findOrder, findOrderByReference } from "../orders/orders.server.ts";
import {
	purchaseLinkToken,
	type TrackingAccess,
	type TrackingCookie,
	trackingCookieTokens,
	trackingLinkToken,
} from "../orders/tracking-tokens.server.ts";
import { privateHeaders } from "../web/http.ts";

export interface TrackedOrder {
	order: Order;
	access: TrackingAccess;
	/** Whether this browser may also see the other orders of the purchase whose first order this is. */
	opensPurchase: boolean;
}

const getPage = (number: string) => href("/suivi/:number", { number });

/** @returns the order of `/suivi/{number}`, if this browser got access to it within the last hour. */
export async function findTrackedOrder(context: Context, request: Request, number: string | undefined): Promise<TrackedOrder | null> {
	const token = readAccessCookie(context, "tracking", request);
	const orderId = trackingCookieTokens.full.parseOrderId(token);
	const order = orderId && (await findOrder(context.db, orderId));
	if (!order || order.order_number !== number || order.erased_at !== null) return null;
	for (const cookie of typedKeys(trackingCookieTokens))
		if (trackingCookieTokens[cookie].read(context.signer, token, order, context.now()).ok)
			return { order, access: cookie === "full" ? "full" : "link", opensPurchase: cookie !== "link" };
	return null;
}

/** @returns `Set-Cookie` headers that give this browser access to an order's tracking page for an hour. */
export function createTrackingCookies({ signer, now, environment }: Context, order: Order, access: TrackingCookie): Headers {
	const { lifetime, sign } = trackingCookieTokens[access];
	return toHeaders(
		createAccessCookies({ environment }, "tracking", {
			page: getPage(order.order_number),
			token: sign(signer, order, now()),
			lifetime,
		}),
	);
}

const toHeaders = (cookies: readonly string[]) => new Headers(cookies.map((cookie) => ["set-cookie", cookie]));

/** Gives this browser full access to an order, and redirects to its page. */
export function openTracking(context: Context, order: Order): Response {
	return redirect(getPage(order.order_number), { status: 303, headers: createTrackingCookies(context, order, "full") });
}

/** Removes this browser's access to an order, and redirects to the form. */
export function closeTracking({ environment }: Context, number: string): Response {
	const cookies = createAccessCookies({ environment }, "tracking", { page: getPage(number), token: "", lifetime: 0 });
	return redirect(href("/suivi-commande"), { status: 303, headers: toHeaders(cookies) });
}

/**
 * Opens the link of an e-mail: it gives access to read one order, and changes nothing else, so a mail scanner may request it.
 * @returns null when the link is altered, expired, or was sent to an address that has been corrected since.
 */
export async function openTrackingLink(
	context: Context,
	request: Request,
	{ number, token }: { number: string; token: string },
): Promise<Response | null> {
	if (await findTrackedOrder(context, request, number)) return redirect(getPage(number), { status: 303, headers: privateHeaders });
	const order = await findOrderOfLink(context, trackingLinkToken, { number, token });
	return order && redirectWithAccess(context, getPage(number), order, "link");
}

/** Opens the link of an e-mail about a whole purchase, as openTrackingLink opens that of one order. @param number of the first order. */
export async function openPurchaseLink(
	context: Context,
	request: Request,
	{ number, token }: { number: string; token: string },
): Promise<Response | null> {
	const page = href("/suivi/:number/ensemble", { number });
	if ((await findTrackedOrder(context, request, number))?.opensPurchase) return redirect(page, { status: 303, headers: privateHeaders });
	const order = await findOrderOfLink(context, purchaseLinkToken, { number, token });
	return order && redirectWithAccess(context, page, order, "purchase");
}

/** @returns the order that a valid link opens. */
async function findOrderOfLink(
	context: Context,
	linkToken: CustomerToken,
	{ number, token }: { number: string; token: string },
): Promise<Order | null> {
	const parsed = parseOrderNumber(number);
	const order = parsed && (await findOrderByReference(context.db, { number: parsed }));
	if (!order || order.erased_at !== null || linkToken.parseOrderId(token) !== order.id) return null;
	return linkToken.read(context.signer, token, order, context.now()).ok ? order : null;
}

/** Redirects to a page with the cookies of one order's access. */
export function redirectWithAccess(context: Context, page: string, order: Order, cookie: TrackingCookie): Response {
	const headers = createTrackingCookies(context, order, cookie);
	for (const [name, value] of Object.entries(privateHeaders)) headers.set(name, value);
	return redirect(page, { status: 303, headers });
}
