import { isPayable } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { changeState, findOrder } from "../../orders/orders.server.ts";
import { resumeToken } from "../../orders/resume-token.server.ts";
import type { PaymentShop } from "../payment-shop.ts";
import { listSessions } from "../payments.store.server.ts";
import { expireAndSyncSession, syncSession } from "../sync-session.server.ts";
import { checkSales } from "./check-sales.server.ts";
import { type OpenSessionOutcome, openSession } from "./open-session.server.ts";

/** Finds the order of `/paiement/reprendre/{token}`, after asking the provider whether it has been paid. */
export async function findOrderToResume(
	shop: PaymentShop,
	token: string,
): Promise<{ ok: true; order: Order } | { ok: false; code: "tampered" | "expired" | "deleted" }> {
	const read = resumeToken.read(shop.signer, token, shop.now());
	if (!read.ok) return read;
	const order = await refreshOrder(shop, read.id);
	return order ? { ok: true, order } : { ok: false, code: "deleted" };
}

/** Finds an order, after syncing its open sessions with the provider. */
export async function refreshOrder(shop: PaymentShop, orderId: string): Promise<Order | null> {
	await syncOpenSessions(shop, orderId);
	return findOrder(shop.db, orderId);
}

/**
 * Finds an order for its customer's page, after syncing its open sessions with the provider.
 * `payable`: the page offers to pay it. False while the provider does not answer, as the order may already be paid.
 */
export async function findOrderToShow(shop: PaymentShop, orderId: string): Promise<{ order: Order; payable: boolean } | null> {
	const answered = await syncOpenSessions(shop, orderId);
	const order = await findOrder(shop.db, orderId);
	return order && { order, payable: answered && isPayable(order) };
}

/** Syncs an order's open sessions with the provider. @returns false when it did not answer. */
async function syncOpenSessions(shop: PaymentShop, orderId: string): Promise<boolean> {
	const open = (await listSessions(shop.db, orderId)).filter((session) => session.status === "open");
	for (const { id } of open) if (!(await syncSession(shop, id, null)).ok) return false;
	return true;
}

/**
 * Opens the payment of an unpaid order, also after its session has expired.
 * @param client the client's key.
 */
export async function resumePayment(shop: PaymentShop, order: Order, client: string): Promise<OpenSessionOutcome> {
	if (!(await expireOverdueSessions(shop, order.id))) return { ok: false, code: "unavailable" };
	// read again: an expired session may have been paid at the last moment
	const present = await findOrder(shop.db, order.id);
	if (present === null || !isPayable(present)) return { ok: false, code: "not-payable" };
	// of two concurrent requests one changes the state, and both find the order pending; net: openSession
	const refusal = await shop.db.transaction().execute(async (trx) => {
		// an order that cannot be paid now keeps its state; openSession checks a pending one
		const sold = await checkSales(shop, trx, { service: present.product_code, orderId: order.id });
		if (!sold.ok && present.status !== "pending") return sold;
		await changeState(trx, order.id, "resumed", { set: { failure_reason: null }, now: shop.now() });
		return null;
	});
	return refusal ?? openSession(shop, present, client);
}

/**
 * Expires the overdue sessions of an order at the provider. Otherwise their event would come later and expire the order while its
 * customer pays in the next session. @returns false when the provider did not answer.
 */
async function expireOverdueSessions(shop: PaymentShop, orderId: string): Promise<boolean> {
	const at = shop.now();
	const overdue = (await listSessions(shop.db, orderId)).filter(({ status, expires_at }) => status === "open" && expires_at <= at);
	for (const { id } of overdue) if (!(await expireAndSyncSession(shop, id)).ok) return false;
	return true;
}
