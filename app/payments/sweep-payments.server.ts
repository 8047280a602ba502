import { day } from "../../server/durations.ts";
import { inContext } from "../../server/observability/request-context.ts";
import { lockPurchase } from "../orders/orders.store.server.ts";
import type { PaymentShop } from "./payment-shop.ts";
import { claimSessionsToSync, clearClientsOfAttempts, listPurchasesWithoutSession } from "./payments.store.server.ts";
import { expireAndSyncSession, expireWithReminder, syncSession } from "./sync-session.server.ts";

/** How many sessions and orders one run handles; the rest waits for the next minute. */
const batch = 200;

/**
 * Asks the provider about open sessions whose event did not come, expires the sessions of purchases that are no longer pending, and
 * expires pending purchases that are older than a day and have no open session.
 */
export async function sweepPayments(shop: PaymentShop): Promise<void> {
	for (const { id, orderIsPending } of await claimSessionsToSync(shop.db, shop.now(), batch)) {
		const synced = await inContext({ order: undefined }, () =>
			orderIsPending ? syncSession(shop, id, null) : expireAndSyncSession(shop, id),
		);
		if (!synced.ok) return;
	}
	for (const { id } of await listPurchasesWithoutSession(shop.db, new Date(shop.now().getTime() - day), batch)) {
		await shop.db.transaction().execute(async (trx) => {
			const orders = await lockPurchase(trx, id);
			await clearClientsOfAttempts(trx, id);
			await expireWithReminder(shop, trx, orders);
		});
	}
}
