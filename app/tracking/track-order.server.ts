import { takeEach } from "../../server/rate-limits.ts";
import type { Context } from "../../server/runtime.ts";
import { isUuid } from "../../server/uuid.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import type { Order } from "../orders/order.ts";
import { parseOrderNumber } from "../orders/order-number.server.ts";
import { findOrderByReference } from "../orders/orders.server.ts";

/** Failed look-ups allowed per quarter of an hour: of one client, and of one client for one e-mail. Successes are free. */
export const failuresPerEmail = 20;
export const failuresPerClient = 60;
export const failureWindow = 900;

/** `retryAfter`: seconds. */
export type FoundOrder = { ok: true; order: Order } | { ok: false; code: "not-found" } | { ok: false; code: "limited"; retryAfter: number };

const nobodysOrder = "00000000-0000-4000-8000-000000000000";

/**
 * Finds an order by what only its customer knows: e-mail and number (or UUID). The answer and its work are the same,
 * whichever of the two is wrong (docs/rules.md, R39). The right pair always opens, whatever others tried before: what stops guessing is the
 * number, one of 5 · 10¹¹, and the limits only keep a client from trying without end.
 * @param client the key of a client.
 */
export async function trackOrder(
	{ db, limits }: Context,
	{ email, reference, client }: { email: string; reference: string; client: string },
): Promise<FoundOrder> {
	const number = parseOrderNumber(reference);
	const id = reference.trim();
	const order = await findOrderByReference(db, number ? { number } : { id: isUuid(id) ? id : nobodysOrder });
	// net: an erased order has no address any more (anonymiseCustomers); an empty one would open it
	if (order && order.erased_at === null && normalizeEmail(order.customer_email) === normalizeEmail(email)) return { ok: true, order };
	const taken = await takeEach([
		{ limit: limits("track-client", failuresPerClient, failureWindow), subject: client },
		{ limit: limits("track-email", failuresPerEmail, failureWindow), subject: `${client} ${normalizeEmail(email)}` },
	]);
	return taken.ok ? { ok: false, code: "not-found" } : { ...taken, code: "limited" };
}
