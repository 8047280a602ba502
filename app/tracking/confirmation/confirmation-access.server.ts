import { href } from "react-router";
import { daySeconds, hour } from "../../../server/durations.ts";
import type { Context } from "../../../server/runtime.ts";
import { confirmationCookieDays, confirmationHours } from "../../catalogue/link-lifetimes.ts";
import type { ConfirmationAccess } from "../../orders/access.ts";
import { createAccessCookies, readAccessCookies } from "../../orders/access-cookie.server.ts";
import { customerToken } from "../../orders/customer-token.server.ts";
import type { Order } from "../../orders/order.ts";
import { findOrder } from "../../orders/orders.server.ts";
import { signResumeToken } from "../../orders/resume-token.server.ts";
import { listSessions, type RecordedSession } from "../../payments/payment-sessions.server.ts";

/** In the cookie of the confirmation, which is set when the payment starts. It ends with the customer’s address, when that is corrected. */
export const confirmationToken = customerToken("confirmation", confirmationCookieDays * daySeconds);

/** Milliseconds after the payment in which the confirmation's URL alone opens the order: as long as a document link. */
const maskedAccessDuration = confirmationHours * hour;

/**
 * What opens the confirmation page of an order here: the browser that ordered, or on the first day its URL (customers of the API have no
 * cookie). Null: nothing does, afterwards.
 */
export function getConfirmationAccess(
	runtime: Context,
	request: Request,
	session: RecordedSession,
	order: Order,
): ConfirmationAccess | null {
	if (order.erased_at !== null) return null;
	if (isOrderingBrowser(runtime, request, order)) return "purchase";
	const since = order.paid_at ?? session.created_at;
	return runtime.now().getTime() < since.getTime() + maskedAccessDuration ? "url" : null;
}

/** Whether a request has the cookie of an order: on its confirmation, and on the page that resumes its payment. */
export function isOrderingBrowser(runtime: Context, request: Request, order: Order): boolean {
	return readAccessCookies(runtime, "confirmation", request).some((token) => {
		const cookie = confirmationToken.read(runtime.signer, token, order, runtime.now());
		return cookie.ok && cookie.id === order.id;
	});
}

/**
 * Creates the cookies that open the confirmation in the browser that starts the payment, and let it open the confirmation of another
 * session by the links that resume the payment. Each path is one page of one order: cookies of many orders are never sent together.
 * @param orderId the first order of the purchase, which its sessions name.
 */
export async function createConfirmationCookies(runtime: Context, orderId: string): Promise<Headers> {
	const headers = new Headers();
	const order = await findOrder(runtime.db, orderId);
	if (order === null) return headers;
	for (const { id, status } of await listSessions(runtime.db, orderId))
		if (status === "open") appendConfirmationCookies(runtime, headers, order, href("/confirmation/:sessionId?", { sessionId: id }));
	const resumePage = href("/paiement/reprendre/:token", { token: signResumeToken(runtime.signer, order) });
	appendConfirmationCookies(runtime, headers, order, resumePage, { withData: false });
	return headers;
}

/** @returns headers that remove what createConfirmationCookies gave a browser: of all sessions of the purchase, which are few. */
export async function endConfirmations(runtime: Context, { purchase_id }: Order): Promise<string[]> {
	const first = await findOrder(runtime.db, purchase_id);
	if (first === null) return [];
	const end = (page: string, withData: boolean) => createAccessCookies(runtime, "confirmation", { page, withData, token: "", lifetime: 0 });
	const sessions = await listSessions(runtime.db, first.id);
	return [
		...sessions.flatMap(({ id }) => end(href("/confirmation/:sessionId?", { sessionId: id }), true)),
		...end(href("/paiement/reprendre/:token", { token: signResumeToken(runtime.signer, first) }), false),
	];
}

/** Adds the cookies of an order's confirmation for `page`. */
export function appendConfirmationCookies(
	runtime: Context,
	headers: Headers,
	order: Order,
	page: string,
	{ withData }: { withData?: boolean } = {},
): void {
	const token = confirmationToken.sign(runtime.signer, order, runtime.now());
	const cookies = createAccessCookies(runtime, "confirmation", { page, withData, token, lifetime: confirmationToken.lifetime });
	for (const cookie of cookies) headers.append("set-cookie", cookie);
}
