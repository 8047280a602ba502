import { href } from "react-router";
import { hour } from "../../../../server/durations.ts";
import type { Context } from "../../../../server/runtime.ts";
import { confirmationHours } from "../../../catalogue/link-lifetimes.ts";
import { createAccessCookies, readAccessCookies } from "../../../orders/access-cookie.server.ts";
import { createResumePath, keyKinds, signKey } from "../../../orders/keys.server.ts";
import type { Order } from "../../../orders/order.ts";
import { findOrder } from "../../../orders/orders.store.server.ts";
import type { Visit } from "../../../orders/visit.ts";
import { listSessions, type RecordedSession } from "../../../payments/payments.store.server.ts";
import { openKey } from "../open-key.server.ts";

/** Milliseconds after the payment in which the confirmation's URL alone opens the order: as long as a document link. */
const maskedAccessDuration = confirmationHours * hour;

/** What opened the confirmation in a browser: the visit that started the payment, or its URL. */
export type ConfirmationAccess = { access: "purchase"; visit: Visit } | { access: "url"; visit: null };

/**
 * What opens the confirmation page of an order here: the browser that ordered, or on the first day its URL (customers of the API have no
 * cookie). Null: nothing does, afterwards.
 */
export async function getConfirmationAccess(
	context: Context,
	request: Request,
	session: RecordedSession,
	order: Order,
): Promise<ConfirmationAccess | null> {
	if (order.erased_at !== null) return null;
	const visit = await findOrderingVisit(context, request, order);
	if (visit !== null) return { access: "purchase", visit };
	const since = order.paid_at ?? session.created_at;
	return context.now().getTime() < since.getTime() + maskedAccessDuration ? { access: "url", visit: null } : null;
}

/** The visit of the browser that ordered, by its cookie on the confirmation and on the page that resumes the payment; null in others. */
export async function findOrderingVisit(context: Context, request: Request, order: Order): Promise<Visit | null> {
	for (const token of readAccessCookies(context, "confirmation", request)) {
		const opened = await openKey(context, "confirmation", token, order);
		if (opened.ok) return opened.visit;
	}
	return null;
}

/**
 * Creates the cookies that open the confirmation in the browser that starts the payment, and let it open the confirmation of another
 * session by the links that resume the payment. Each path is one page of one order: cookies of many orders are never sent together.
 * @param orderId the first order of the purchase, which its sessions name. @param visit what started the payment.
 */
export async function createConfirmationCookies(context: Context, orderId: string, visit: Visit): Promise<Headers> {
	const headers = new Headers();
	const order = await findOrder(context.db, orderId);
	if (order === null) return headers;
	const sessions = await listSessions(context.db, orderId);
	const pages = sessions.filter(({ status }) => status === "open").map(({ id }) => getConfirmationPage(id));
	appendConfirmationCookies(context, headers, order, { visit, pages });
	return headers;
}

const getConfirmationPage = (sessionId: string) => href("/confirmation/:sessionId?", { sessionId });

/** The pages of an order besides its confirmations that the browser which ordered tells of it. Their forms request no data of the page. */
const listOtherPages = (context: Context, first: Order) => [
	createResumePath(context, first),
	// so that « Quitter » ends the confirmation, whatever opened that page here
	href("/suivi/:number", { number: first.order_number }),
];

/** @returns headers that remove what createConfirmationCookies gave a browser: of all sessions of the purchase, which are few. */
export async function endConfirmations(context: Context, { purchase_id }: Order): Promise<string[]> {
	const first = await findOrder(context.db, purchase_id);
	if (first === null) return [];
	const sessions = await listSessions(context.db, first.id);
	const pages = sessions.map(({ id }) => getConfirmationPage(id));
	return createCookies(context, first, { pages, token: "", lifetime: 0 });
}

/**
 * Adds the cookies with which the browser that ordered opens the confirmation.
 * @param first the first order of the purchase. @param pages its confirmations.
 */
export function appendConfirmationCookies(
	context: Context,
	headers: Headers,
	first: Order,
	{ visit, pages }: { visit: Visit; pages: readonly string[] },
): void {
	const token = signKey(context, "confirmation", first, { access: "purchase", visit });
	const lifetime = keyKinds.confirmation.seconds;
	for (const cookie of createCookies(context, first, { pages, token, lifetime })) headers.append("set-cookie", cookie);
}

const createCookies = (
	context: Context,
	first: Order,
	{ pages, ...cookie }: { pages: readonly string[]; token: string; lifetime: number },
): string[] => [
	...pages.flatMap((page) => createAccessCookies(context, "confirmation", { page, ...cookie })),
	...listOtherPages(context, first).flatMap((page) => createAccessCookies(context, "confirmation", { page, withData: false, ...cookie })),
];
