import { isPayable } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { changeState, findOrder } from "../../orders/orders.server.ts";
import { resumeToken } from "../../orders/resume-token.server.ts";
import type { PaymentShop } from "../payment-shop.ts";
import { listSessions } from "../payments.store.server.ts";
import { expireAndSyncSession, syncSession } from "../sync-session.server.ts";
import { type OpenedSession, openSession } from "./open-session.server.ts";

/** The order behind `/paiement/reprendre/{token}`, after asking the provider whether it was paid meanwhile. */
export async function findOrderToResume(
	shop: PaymentShop,
	token: string,
): Promise<{ ok: true; order: Order } | { ok: false; code: "tampered" | "expired" | "deleted" }> {
	const read = resumeToken.read(shop.signer, token, shop.now());
	if (!read.ok) return read;
	const order = await refreshOrder(shop, read.id);
	return order ? { ok: true, order } : { ok: false, code: "deleted" };
}

/** An order, after asking the provider what became of its open sessions. */
export async function refreshOrder(shop: PaymentShop, orderId: string): Promise<Order | null> {
	await syncOpenSessions(shop, orderId);
	return findOrder(shop.db, orderId);
}

/**
 * An order as its customer's page shows it, after asking the provider what became of its open sessions.
 * `payable`: the page offers to pay it. Not while the provider is silent: the order may be paid already.
 */
export async function findOrderToShow(shop: PaymentShop, orderId: string): Promise<{ order: Order; payable: boolean } | null> {
	const answered = await syncOpenSessions(shop, orderId);
	const order = await findOrder(shop.db, orderId);
	return order && { order, payable: answered && isPayable(order) };
}

/** Asks the provider what became of an order's open sessions. @returns false when it did not answer. */
async function syncOpenSessions(shop: PaymentShop, orderId: string): Promise<boolean> {
	const open = (await listSessions(shop.db, orderId)).filter((session) => session.status === "open");
	for (const { id } of open) if (!(await syncSession(shop, id, null)).ok) return false;
	return true;
}

/**
 * Lets a customer pay an order that is not paid yet, also one whose session ran out.
 * @param client the key of the client who asks.
 */
export async function resumePayment(shop: PaymentShop, order: Order, client: string): Promise<OpenedSession> {
	if (!(await expireOverdueSessions(shop, order.id))) return { ok: false, code: "unavailable" };
	// read again: what ran out may have been paid at the last moment
	const present = await findOrder(shop.db, order.id);
	if (present === null || !isPayable(present)) return { ok: false, code: "not-payable" };
	// of two presses at once, one changes the state, and both find the order open; net: openSession opens none for an order that does not wait
	await shop.db.transaction().execute((trx) => changeState(trx, order.id, "resumed", { set: { failure_reason: null }, now: shop.now() }));
	return openSession(shop, present, client);
}

/**
 * Ends the expired sessions of an order whose event did not come: it would come later, and end the order while its customer pays
 * in the next session. @returns false when the provider did not answer.
 */
async function expireOverdueSessions(shop: PaymentShop, orderId: string): Promise<boolean> {
	const at = shop.now();
	const overdue = (await listSessions(shop.db, orderId)).filter(({ status, expires_at }) => status === "open" && expires_at <= at);
	for (const { id } of overdue) if (!(await expireAndSyncSession(shop, id)).ok) return false;
	return true;
}
