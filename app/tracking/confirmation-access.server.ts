import { href } from "react-router";
import type { Context } from "../../server/runtime.ts";
import { confirmationHours } from "../catalogue/link-lifetimes.ts";
import { createAccessCookie, readAccessCookie } from "../orders/access-cookie.server.ts";
import type { Order } from "../orders/order.ts";
import { listSessions, type RecordedSession } from "../payments/payment-sessions.server.ts";

/** How long the address of a confirmation opens the order by itself, in milliseconds: as long as a document link. */
const openFor = confirmationHours * 3_600_000;

/**
 * What the confirmation page shows of an order. `full`: to the browser that started the payment. `masked`: to whoever has the
 * address on the first day, without name and e-mail; customers of the API have no cookie. `none`: afterwards.
 */
export type ConfirmationAccess = "full" | "masked" | "none";

export function getConfirmationAccess(runtime: Context, request: Request, session: RecordedSession, order: Order): ConfirmationAccess {
	if (order.erased_at !== null) return "none";
	if (readAccessCookie(runtime, "confirmation", request) === order.id) return "full";
	const since = order.paid_at ?? session.created_at;
	return runtime.now().getTime() < since.getTime() + openFor ? "masked" : "none";
}

/**
 * The cookies that open the confirmation of an order's open session in the browser that starts its payment. Their path is that one
 * page, so that many orders never add up in one request; the framework asks for the page's data beside it, at `.data`.
 */
export async function createConfirmationCookies(runtime: Context, orderId: string): Promise<Headers> {
	const headers = new Headers();
	for (const session of await listSessions(runtime.db, orderId)) {
		if (session.status !== "open") continue;
		const page = href("/confirmation/:sessionId?", { sessionId: session.id });
		for (const path of [page, `${page}.data`]) headers.append("set-cookie", createAccessCookie(runtime, "confirmation", { orderId, path }));
	}
	return headers;
}
