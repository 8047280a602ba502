import { listPaymentsOfOrder } from "../refunds/refunds.server.ts";
import { listSessions } from "./payments.store.server.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { type SyncDeps, syncSession } from "./sync-session.server.ts";

/**
 * Asks the provider again about every session and payment of an order, and brings it up to date.
 * @returns how many were asked about; null when the provider cannot be reached.
 */
export async function syncOrder(deps: SyncDeps, orderId: string): Promise<{ sessions: number; payments: number } | null> {
	const sessions = await listSessions(deps.db, orderId);
	for (const { id } of sessions) if ((await syncSession(deps, id, null)) === "unavailable") return null;
	const payments = await listPaymentsOfOrder(deps.db, orderId);
	for (const { id } of payments) if ((await syncPayment(deps, id, null)) === "unavailable") return null;
	return { sessions: sessions.length, payments: payments.length };
}
