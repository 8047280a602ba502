import { listPaymentsOfPurchase } from "../orders/refunds/refunds.store.server.ts";
import type { PaymentShop } from "./payment-shop.ts";
import { listSessions } from "./payments.store.server.ts";
import type { Outage } from "./provider.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { syncSession } from "./sync-session.server.ts";

/**
 * Asks the provider about every session and payment of a purchase, and updates its orders.
 * @returns how many sessions and payments were asked about.
 */
export async function syncPurchase(
	shop: PaymentShop,
	purchaseId: string,
): Promise<{ ok: true; sessions: number; payments: number } | Outage> {
	const sessions = await listSessions(shop.db, purchaseId);
	for (const { id } of sessions) {
		const synced = await syncSession(shop, id, null);
		if (!synced.ok) return synced;
	}
	const payments = await listPaymentsOfPurchase(shop.db, purchaseId);
	for (const { id } of payments) {
		const synced = await syncPayment(shop, id, null);
		if (!synced.ok) return synced;
	}
	return { ok: true, sessions: sessions.length, payments: payments.length };
}
