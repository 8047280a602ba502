import { listPaymentsOfOrder } from "../refunds/refunds.server.ts";
import type { PaymentShop } from "./payment-shop.ts";
import { listSessions } from "./payments.store.server.ts";
import type { Outage } from "./provider.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { syncSession } from "./sync-session.server.ts";

/**
 * Asks the provider about every session and payment of an order, and updates the order.
 * @returns how many sessions and payments were asked about.
 */
export async function syncOrder(shop: PaymentShop, orderId: string): Promise<{ ok: true; sessions: number; payments: number } | Outage> {
	const sessions = await listSessions(shop.db, orderId);
	for (const { id } of sessions) {
		const synced = await syncSession(shop, id, null);
		if (!synced.ok) return synced;
	}
	const payments = await listPaymentsOfOrder(shop.db, orderId);
	for (const { id } of payments) {
		const synced = await syncPayment(shop, id, null);
		if (!synced.ok) return synced;
	}
	return { ok: true, sessions: sessions.length, payments: payments.length };
}
