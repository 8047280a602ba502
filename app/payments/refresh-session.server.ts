import type { PaymentShop } from "./payment-shop.ts";
import { claimRefresh, markRefreshFailed } from "./payments.store.server.ts";
import type { Outage } from "./provider.ts";
import { syncSession } from "./sync-session.server.ts";

/** Milliseconds. Stripe allows an account some hundred calls a second, which a page that is read again and again would use up. */
const pause = 2000;

/**
 * Syncs a session for somebody who looks at its orders, at most once in two seconds for all who look, in all processes (docs/rules.md,
 * R174). Who looks again within them sees what was recorded. Events and jobs do not wait: they call syncSession.
 */
export async function refreshSession(shop: PaymentShop, sessionId: string): Promise<{ ok: true } | Outage> {
	const claim = await claimRefresh(shop.db, sessionId, { now: shop.now(), pause });
	if (!claim.claimed) return claim.failed ? { ok: false, code: "unavailable" } : { ok: true };
	const synced = await syncSession(shop, sessionId, null);
	if (!synced.ok) await markRefreshFailed(shop.db, sessionId);
	return synced;
}
