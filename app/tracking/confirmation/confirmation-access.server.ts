import { href } from "react-router";
import type { Context } from "../../../server/runtime.ts";
import { confirmationCookieDays, confirmationHours } from "../../catalogue/link-lifetimes.ts";
import { createAccessCookies, readAccessCookie } from "../../orders/access-cookie.server.ts";
import { customerToken } from "../../orders/customer-token.server.ts";
import type { Order } from "../../orders/order.ts";
import { findOrder } from "../../orders/orders.server.ts";
import { listSessions, type RecordedSession } from "../../payments/payment-sessions.server.ts";

/** In the cookie of the confirmation, which is set when the payment starts. It ends with the customer’s address, when that is corrected. */
export const confirmationToken = customerToken("confirmation", confirmationCookieDays * 86_400);

/** Milliseconds after the payment in which the confirmation's URL alone opens the order: as long as a document link. */
const maskedAccessDuration = confirmationHours * 3_600_000;

/**
 * What the confirmation page shows of an order. `full`: everything, to the browser that started the payment. `masked`: no name and no
 * e-mail, to any browser with the URL on the first day (customers of the API have no cookie). `none`: nothing, afterwards.
 */
export type ConfirmationAccess = "full" | "masked" | "none";

export function getConfirmationAccess(runtime: Context, request: Request, session: RecordedSession, order: Order): ConfirmationAccess {
	if (order.erased_at !== null) return "none";
	const cookie = confirmationToken.read(runtime.signer, readAccessCookie(runtime, "confirmation", request), order, runtime.now());
	if (cookie.ok && cookie.id === order.id) return "full";
	const since = order.paid_at ?? session.created_at;
	return runtime.now().getTime() < since.getTime() + maskedAccessDuration ? "masked" : "none";
}

/**
 * Creates the cookies that open the confirmation in the browser that starts the payment. Their path is that one page, so that cookies of
 * many orders are never sent together.
 */
export async function createConfirmationCookies(runtime: Context, orderId: string): Promise<Headers> {
	const headers = new Headers();
	const order = await findOrder(runtime.db, orderId);
	const sessions = order ? await listSessions(runtime.db, orderId) : [];
	for (const { id, status } of sessions) {
		if (order && status === "open")
			appendConfirmationCookies(runtime, headers, order, href("/confirmation/:sessionId?", { sessionId: id }));
	}
	return headers;
}

/** Adds the cookies that open an order's confirmation at `page`. */
export function appendConfirmationCookies(runtime: Context, headers: Headers, order: Order, page: string): void {
	const token = confirmationToken.sign(runtime.signer, order, runtime.now());
	const cookies = createAccessCookies(runtime, "confirmation", { page, token, lifetime: confirmationToken.lifetime });
	for (const cookie of cookies) headers.append("set-cookie", cookie);
}
