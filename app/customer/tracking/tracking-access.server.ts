import { href, redirect } from "react-router";
import type { Context } from "../../../server/runtime.ts";
import { endFormCookies } from "../../checkout/form/form-browser.server.ts";
import { type AccessKey, getKeyOfPair, mayAsk, type TrackingAccess, trackingAccesses } from "../../orders/access.ts";
import { createAccessCookies, readAccessCookies } from "../../orders/access-cookie.server.ts";
import { keyKinds, signKey } from "../../orders/keys.server.ts";
import type { Order } from "../../orders/order.ts";
import { parseOrderNumber } from "../../orders/order-number.server.ts";
import { findOrder, listOrdersOfPurchase } from "../../orders/orders.store.server.ts";
import type { Visit } from "../../orders/visit.ts";
import { privateHeaders, withPrivateHeaders } from "../../web/http.ts";
import { findSignedInCustomer, type SignInContext } from "../sign-in/sessions.server.ts";
import { findOwnOrder } from "../space/order-again.server.ts";
import { endConfirmations } from "./confirmation/confirmation-access.server.ts";
import { openKey } from "./open-key.server.ts";
import { parseDestination } from "./page-parts.ts";
import { createVisit, endVisit } from "./visits/visits.server.ts";

export interface TrackedOrder {
	order: Order;
	access: TrackingAccess;
	/** What opened the order here; what this page opens ends with it. */
	visit: Visit;
}

const getPage = (number: string) => href("/suivi/:number", { number });
const getPurchasePage = (number: string) => href("/suivi/:number/ensemble", { number });

type TrackingContext = Context & SignInContext;

/**
 * @returns the order of `/suivi/{number}` and the pages below, if this browser got access to it within the last hour, or its customer is
 * signed in to « Mes commandes ».
 */
export async function findTrackedOrder(
	context: TrackingContext,
	request: Request,
	number: string | undefined,
): Promise<TrackedOrder | null> {
	const visited = await findVisitedOrder(context, request, number);
	if (visited?.access === "purchase") return visited;
	return (await findOrderOfSession(context, request, number)) ?? visited;
}

/** The order, if it has the address of the mailbox that is open in this browser: with the access that « Ouvrir » gives there. */
async function findOrderOfSession(context: TrackingContext, request: Request, number: string | undefined): Promise<TrackedOrder | null> {
	const customer = number === undefined ? null : await findSignedInCustomer(context, request.headers);
	const order = customer && (await findOwnOrder(context, customer.mailbox, number ?? ""));
	return order && { order, access: "purchase", visit: { kind: "space", id: customer.sessionId } };
}

async function findVisitedOrder(context: Context, request: Request, number: string | undefined): Promise<TrackedOrder | null> {
	for (const cookie of readAccessCookies(context, "tracking", request)) {
		const opened = await openKey(context, "visit", cookie);
		if (!opened.ok || opened.order.order_number !== number) continue;
		const { order, visit } = opened;
		const access = trackingAccesses.find((each) => each === opened.access);
		if (access && visit) return { order, access, visit };
	}
	return null;
}

/**
 * @param visit what opens the order; by default, it is opened by itself.
 * @returns `Set-Cookie` headers that give this browser access to an order's tracking page for an hour.
 */
export function createTrackingCookies(context: Context, order: Order, access: TrackingAccess, visit: Visit = createVisit()): Headers {
	const token = signKey(context, "visit", order, { access, visit });
	const lifetime = keyKinds.visit.seconds;
	return toHeaders(createAccessCookies(context, "tracking", { page: getPage(order.order_number), token, lifetime }));
}

const toHeaders = (cookies: readonly string[]) => new Headers(cookies.map((cookie) => ["set-cookie", cookie]));

/** Redirects to a page with the cookies of one order's access. @param visit see createTrackingCookies. */
export function redirectWithAccess(context: Context, page: string, order: Order, access: TrackingAccess, visit?: Visit): Response {
	const cookies = createTrackingCookies(context, order, access, visit).getSetCookie();
	return redirect(page, { status: 303, headers: withPrivateHeaders(cookies) });
}

const redirectTo = (page: string) => redirect(page, { status: 303, headers: privateHeaders });

/**
 * Gives a browser the access of a pair of number and address, and redirects to the page that the form names: the order's, that of the
 * purchase, or of one of its lines. Without one, the number of a purchase of several opens all of it (docs/rules.md, R256).
 * @param destination as formatDestination writes it.
 */
export async function openTracking(context: Context, order: Order, destination: string): Promise<Response> {
	const access = getKeyOfPair(order);
	const { page, part } = parseDestination(destination);
	const visit = createVisit();
	const headers = createTrackingCookies(context, order, access, visit);
	const redirectToPart = (path: string) => redirect(`${path}${part ? `#${part}` : ""}`, { status: 303, headers });
	const isWhole = page === "purchase" || (destination === "" && access === "purchase" && (await findLine(context, order, 2)) !== undefined);
	if (isWhole) return redirectToPart(getPurchasePage(order.order_number));
	const line = typeof page === "number" && mayAsk(access, "read-purchase") ? await findLine(context, order, page) : undefined;
	if (line === undefined || line.id === order.id) return redirectToPart(getPage(order.order_number));
	for (const cookie of createTrackingCookies(context, line, access, visit).getSetCookie()) headers.append("set-cookie", cookie);
	return redirectToPart(getPage(line.order_number));
}

const findLine = async ({ db }: Context, { purchase_id }: Order, line: number): Promise<Order | undefined> =>
	(await listOrdersOfPurchase(db, purchase_id)).find(({ purchase_line }) => purchase_line === line);

/** The key in the form of « Quitter » on the page of an order or of its purchase. */
export const createQuitKey = (context: Context, { order, access, visit }: { order: Order; access: AccessKey; visit: Visit }): string =>
	signKey(context, "quit", order, { access, visit });

/**
 * « Quitter »: ends every visit by which this browser opened the order, so that the other orders which they opened are closed too, with their
 * confirmation and their withdrawals; and the session that would open it again. Removes the cookies of this page, of the confirmation and of typed forms, and redirects to the form.
 * The cookies of the other orders stay in the browser and open nothing: two hundred would not fit in the headers of one answer.
 * @param key of the form: the cookie of its page may have expired. The browser that ordered shows its cookie too, whatever opened the page.
 */
export async function closeTracking(
	context: TrackingContext,
	request: Request,
	{ number, key }: { number: string; key: string },
): Promise<Response> {
	const opened = await Promise.all([
		openKey(context, "quit", key),
		...readAccessCookies(context, "tracking", request).map((token) => openKey(context, "visit", token)),
		...readAccessCookies(context, "confirmation", request).map((token) => openKey(context, "confirmation", token)),
	]);
	const signedIn = await findOrderOfSession(context, request, number);
	const ofOrder = [
		...opened.flatMap((each) => (each.ok && each.order.order_number === number ? [each] : [])),
		...(signedIn === null ? [] : [signedIn]),
	];
	for (const { visit } of ofOrder) if (visit) await endVisit(context, visit);
	const cookies = createAccessCookies(context, "tracking", { page: getPage(number), token: "", lifetime: 0 });
	// to the customer only: the URL of the confirmation is a key
	const owned = ofOrder.find(({ access }) => access === "purchase");
	const confirmations = owned ? await endConfirmations(context, owned.order) : [];
	return redirect(href("/suivi-commande"), { status: 303, headers: toHeaders([...cookies, ...confirmations, ...endFormCookies(context)]) });
}

/**
 * Opens the link of an e-mail about an order, or about a whole purchase. It gives access to read, and changes nothing else, so a mail scanner
 * may request it.
 * @param number of the order; of a purchase, that of its first. @param isWhole whether it is the link of a purchase.
 * @returns null when the link is altered, expired, or was sent to an address that has been corrected since.
 */
export async function openLink(
	context: TrackingContext,
	request: Request,
	{ number, token, isWhole }: { number: string; token: string; isWhole: boolean },
): Promise<Response | null> {
	const page = isWhole ? getPurchasePage(number) : getPage(number);
	const tracked = await findTrackedOrder(context, request, number);
	if (tracked && (!isWhole || mayAsk(tracked.access, "read-purchase"))) return redirectTo(page);
	const opened = await openKey(context, "link", token);
	const access = isWhole ? "purchase-link" : "link";
	if (!opened.ok || opened.access !== access || opened.order.order_number !== parseOrderNumber(number)) return null;
	return redirectWithAccess(context, page, opened.order, access);
}

export type TrackedPurchase = ({ state: "open" | "line" | "refused" } & TrackedOrder) | { state: "closed" };

/**
 * Finds the first order of a purchase under its number.
 * @returns `closed`: this browser has no access to that order. `refused`: it may see that order alone. `line`: it may see the purchase, which
 * has the number of another order.
 */
export async function findTrackedPurchase(context: TrackingContext, request: Request, number: string): Promise<TrackedPurchase> {
	const tracked = await findTrackedOrder(context, request, number);
	if (tracked === null) return { state: "closed" };
	if (!mayAsk(tracked.access, "read-purchase")) return { state: "refused", ...tracked };
	return { state: tracked.order.id === tracked.order.purchase_id ? "open" : "line", ...tracked };
}

/** Opens the page of one line from the page of its purchase, with the access that this browser has there. */
export async function openLine(
	context: TrackingContext,
	request: Request,
	{ number, line }: { number: string; line: string },
): Promise<Response> {
	const purchase = await findTrackedPurchase(context, request, number);
	// that page says why, asks for e-mail and number, or leads to the purchase
	if (purchase.state !== "open") return redirectTo(getPurchasePage(number));
	const { order: first, access, visit } = purchase;
	const order = await findLine(context, first, Number(line));
	// the first order has its access already
	if (order === undefined || order.id === first.id) return redirectTo(getPage(number));
	return redirectWithAccess(context, getPage(order.order_number), order, access, visit);
}

/**
 * Opens the page of the purchase from that of one of its orders, if the order was opened from there or from the customer's space. Who came
 * by an e-mail about the order, or typed what it says, stays at the order: even the number of the purchase is not told.
 */
export async function openPurchaseOfOrder(context: TrackingContext, request: Request, number: string): Promise<Response> {
	const tracked = await findTrackedOrder(context, request, number);
	const first = tracked && mayAsk(tracked.access, "read-purchase") ? await findOrder(context.db, tracked.order.purchase_id) : null;
	// that page says why
	if (tracked === null || first === null) return redirectTo(getPurchasePage(number));
	const page = getPurchasePage(first.order_number);
	return first.id === tracked.order.id ? redirectTo(page) : redirectWithAccess(context, page, first, tracked.access, tracked.visit);
}
