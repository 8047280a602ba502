import { inContext } from "../../server/observability/request-context.ts";
import { remindToPay } from "../order-emails/queue-order-email.server.ts";
import { changeState } from "../orders/orders.server.ts";
import type { PaymentShop } from "./payment-shop.ts";
import { claimSessionsToSync, listOrdersWithoutSession } from "./payments.store.server.ts";
import { expireAndSyncSession, syncSession } from "./sync-session.server.ts";

const day = 86_400_000;

/** How many sessions and orders one run handles; the rest waits for the next minute. */
const batch = 200;

/**
 * Asks the provider about open sessions whose event did not come, expires the sessions of orders that are no longer pending, and
 * expires pending orders that are older than a day and have no open session.
 */
export async function sweepPayments(shop: PaymentShop): Promise<void> {
	for (const { id, orderIsPending } of await claimSessionsToSync(shop.db, shop.now(), batch)) {
		const synced = await inContext({ order: undefined }, () =>
			orderIsPending ? syncSession(shop, id, null) : expireAndSyncSession(shop, id),
		);
		if (!synced.ok) return;
	}
	for (const { id } of await listOrdersWithoutSession(shop.db, new Date(shop.now().getTime() - day), batch)) {
		await shop.db.transaction().execute(async (trx) => {
			if (await changeState(trx, id, "expired", { set: { failure_reason: "expired" }, now: shop.now() })) await remindToPay(shop, trx, id);
		});
	}
}
