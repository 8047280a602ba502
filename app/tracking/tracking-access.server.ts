import { href, redirect } from "react-router";
import type { Context } from "../../server/runtime.ts";
import { typedKeys } from "../../server/types/objects.ts";
import { endFormCookies } from "../order-form/form-browser.server.ts";
import { getKeyOfPair, mayAsk, type TrackingAccess } from "../orders/access.ts";
import { createAccessCookies, readAccessCookies } from "../orders/access-cookie.server.ts";
import type { CustomerToken } from "../orders/customer-token.server.ts";
import type { Order } from "../orders/order.ts";
import { parseOrderNumber } from "../orders/order-number.server.ts";
import { findOrder, findOrderByReference } from "../orders/orders.server.ts";
import { purchaseLinkToken, type TrackingCookie, trackingCookieTokens, trackingLinkToken } from "../orders/tracking-tokens.server.ts";
import { privateHeaders, withPrivateHeaders } from "../web/http.ts";
import { endConfirmations } from "./confirmation/confirmation-access.server.ts";
import { createVisit, endVisit, formatVisit, isVisitOpen, parseVisit, type Visit } from "./visits/visits.server.ts";

export interface TrackedOrder {
	order: Order;
	access: TrackingAccess;
	/** What opened the order here; what this page opens ends with it. */
	visit: Visit;
}

const getPage = (number: string) => href("/suivi/:number", { number });

/** @returns the order of `/suivi/{number}`, if this browser got access to it within the last hour. */
export async function findTrackedOrder(context: Context, request: Request, number: string | undefined): Promise<TrackedOrder | null> {
	for (const cookie of readAccessCookies(context, "tracking", request)) {
		const tracked = await readTrackingCookie(context, cookie, number);
		if (tracked !== null) return tracked;
	}
	return null;
}

async function readTrackingCookie(context: Context, value: string, number: string | undefined): Promise<TrackedOrder | null> {
	const [name = "", token = ""] = value.split(separator);
	const visit = parseVisit(name);
	const orderId = trackingLinkToken.parseOrderId(token);
	const order = orderId && (await findOrder(context.db, orderId));
	if (!visit || !order || order.order_number !== number || order.erased_at !== null) return null;
	const tokens = trackingCookieTokens(name);
	const cookie = typedKeys(tokens).find((kind) => tokens[kind].read(context.signer, token, order, context.now()).ok);
	if (cookie === undefined || !(await isVisitOpen(context, visit))) return null;
	return { order, access: accessOf[cookie](order), visit };
}

const accessOf: Record<TrackingCookie, (order: Order) => TrackingAccess> = {
	full: getKeyOfPair,
	whole: () => "purchase",
	link: () => "link",
	purchase: () => "purchase-link",
};

/** The cookie that gives the same access to the page of another order of a purchase. */
export const cookieOf: Record<TrackingAccess, TrackingCookie> = {
	purchase: "whole",
	line: "full",
	"purchase-link": "purchase",
	link: "link",
};

/** Between the visit and the token of a cookie. */
const separator = "~";

/**
 * @param visit what opens the order; by default, it is opened by itself.
 * @returns `Set-Cookie` headers that give this browser access to an order's tracking page for an hour.
 */
export function createTrackingCookies(
	{ signer, now, environment }: Context,
	order: Order,
	access: TrackingCookie,
	visit: Visit = createVisit(),
): Headers {
	const name = formatVisit(visit);
	const { lifetime, sign } = trackingCookieTokens(name)[access];
	return toHeaders(
		createAccessCookies({ environment }, "tracking", {
			page: getPage(order.order_number),
			token: `${name}${separator}${sign(signer, order, now())}`,
			lifetime,
		}),
	);
}

const toHeaders = (cookies: readonly string[]) => new Headers(cookies.map((cookie) => ["set-cookie", cookie]));

/** Gives this browser full access to an order, and redirects to its page. */
export function openTracking(context: Context, order: Order): Response {
	return redirect(getPage(order.order_number), { status: 303, headers: createTrackingCookies(context, order, "full") });
}

/**
 * « Quitter »: ends the visit, so that the other orders which it opened are closed too, removes the cookie of this one and those of its
 * confirmation and of typed forms, and redirects to the form. The cookies of the other orders stay in the browser and open nothing: two
 * hundred would not fit in the headers of one answer.
 */
export async function closeTracking(context: Context, request: Request, number: string): Promise<Response> {
	const tracked = await findTrackedOrder(context, request, number);
	if (tracked !== null) await endVisit(context, tracked.visit);
	const cookies = createAccessCookies(context, "tracking", { page: getPage(number), token: "", lifetime: 0 });
	// to the customer only: the URL of the confirmation is a key
	const confirmations = tracked?.access === "purchase" ? await endConfirmations(context, tracked.order) : [];
	return redirect(href("/suivi-commande"), { status: 303, headers: toHeaders([...cookies, ...confirmations, ...endFormCookies(context)]) });
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
	const tracked = await findTrackedOrder(context, request, number);
	if (tracked && mayAsk(tracked.access, "read-purchase")) return redirect(page, { status: 303, headers: privateHeaders });
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

/** Redirects to a page with the cookies of one order's access. @param visit see createTrackingCookies. */
export function redirectWithAccess(context: Context, page: string, order: Order, cookie: TrackingCookie, visit?: Visit): Response {
	const cookies = createTrackingCookies(context, order, cookie, visit).getSetCookie();
	return redirect(page, { status: 303, headers: withPrivateHeaders(cookies) });
}
