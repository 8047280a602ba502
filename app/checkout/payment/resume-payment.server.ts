import { readKey } from "../../orders/keys.server.ts";
import { isPayable } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { changeStates, findOrder, lockPurchase } from "../../orders/orders.store.server.ts";
import type { PaymentShop } from "../../payments/payment-shop.ts";
import { listSessions } from "../../payments/payments.store.server.ts";
import { refreshSession } from "../../payments/refresh-session.server.ts";
import { expireAndSyncSession } from "../../payments/sync-session.server.ts";
import { checkSales } from "./check-sales.server.ts";
import { type OpenSessionOutcome, openSession } from "./open-session.server.ts";

/** Finds the order of `/paiement/reprendre/{token}`, after asking the provider whether it has been paid. */
export async function findOrderToResume(
	shop: PaymentShop,
	token: string,
): Promise<{ ok: true; order: Order } | { ok: false; code: "tampered" | "expired" | "deleted" }> {
	const read = readKey(shop, "resume", token);
	if (!read.ok) return read;
	const order = await refreshOrder(shop, read.key.id);
	return order ? { ok: true, order } : { ok: false, code: "deleted" };
}

/** Finds an order, after syncing the open sessions of its purchase with the provider. */
export async function refreshOrder(shop: PaymentShop, orderId: string): Promise<Order | null> {
	return (await findSynced(shop, orderId)).order;
}

/**
 * Finds an order for its customer's page, after syncing the open sessions of its purchase with the provider.
 * `payable`: the page offers to pay it. False while the provider does not answer, as the order may already be paid.
 */
export async function findOrderToShow(shop: PaymentShop, orderId: string): Promise<{ order: Order; payable: boolean } | null> {
	const { order, answered } = await findSynced(shop, orderId);
	return order && { order, payable: answered && isPayable(order) };
}

/** Finds an order after syncing the open sessions of its purchase. `answered`: false when the provider did not answer. */
async function findSynced(shop: PaymentShop, orderId: string): Promise<{ order: Order | null; answered: boolean }> {
	const found = await findOrder(shop.db, orderId);
	if (found === null) return { order: null, answered: true };
	const open = (await listSessions(shop.db, found.purchase_id)).filter((session) => session.status === "open");
	for (const { id } of open) if (!(await refreshSession(shop, id)).ok) return { order: found, answered: false };
	// the session, or an event between the two reads, may have changed it
	return { order: await findOrder(shop.db, orderId), answered: true };
}

/**
 * Opens the payment of an unpaid purchase, also after its session has expired.
 * @param order any of its orders.
 * @param client the client's key.
 */
export async function resumePayment(shop: PaymentShop, order: Order, client: string): Promise<OpenSessionOutcome> {
	const purchaseId = order.purchase_id;
	if (!(await expireOverdueSessions(shop, purchaseId))) return { ok: false, code: "unavailable" };
	// of two concurrent requests one changes the state, and both find the order pending; net: openSession
	const refusal = await shop.db.transaction().execute(async (trx): Promise<Extract<OpenSessionOutcome, { ok: false }> | null> => {
		// read again: an expired session may have been paid at the last moment
		const orders = await lockPurchase(trx, purchaseId);
		if (orders.length === 0 || !orders.every(isPayable)) return { ok: false, code: "not-payable" };
		// a purchase that cannot be paid now keeps its state; openSession checks a pending one
		const sold = await checkSales(shop, trx, { services: orders.map(({ product_code }) => product_code), purchaseId });
		if (!sold.ok && orders.some(({ status }) => status !== "pending")) return sold;
		const ids = orders.map(({ id }) => id);
		await changeStates(trx, ids, "resumed", { set: { failure_reason: null }, now: shop.now() });
		return null;
	});
	return refusal ?? openSession(shop, purchaseId, client);
}

/**
 * Expires the overdue sessions of a purchase at the provider. Otherwise their event would come later and expire the purchase while its
 * customer pays in the next session. @returns false when the provider did not answer.
 */
async function expireOverdueSessions(shop: PaymentShop, purchaseId: string): Promise<boolean> {
	const at = shop.now();
	const overdue = (await listSessions(shop.db, purchaseId)).filter(({ status, expires_at }) => status === "open" && expires_at <= at);
	for (const { id } of overdue) if (!(await expireAndSyncSession(shop, id)).ok) return false;
	return true;
}
