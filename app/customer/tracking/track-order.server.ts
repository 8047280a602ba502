import { takeEach } from "../../../server/rate-limits.ts";
import type { Context } from "../../../server/runtime.ts";
import { isUuid } from "../../../server/uuid.ts";
import { normalizeEmail } from "../../mail/normalize-email.ts";
import type { Order } from "../../orders/order.ts";
import { parseOrderNumber } from "../../orders/order-number.server.ts";
import { findOrderByReference } from "../../orders/orders.store.server.ts";

/** Failed searches allowed per quarter of an hour: for one client, and for one client and e-mail. Successes do not count. */
export const failuresPerEmail = 20;
export const failuresPerClient = 60;
export const failureWindow = 900;

/** `retryAfter`: seconds. */
export type TrackOutcome =
	| { ok: true; order: Order }
	| { ok: false; code: "not-found" }
	| { ok: false; code: "limited"; retryAfter: number };

const unusedOrderId = "00000000-0000-4000-8000-000000000000";

/**
 * Finds an order by its e-mail and its number (or UUID). Result and cost are the same, whichever of the two is wrong (docs/rules.md, R39).
 * A right pair is never limited. The number, one of 5 · 10¹¹, prevents guessing; the limits only stop endless tries of one client.
 * @param client the client's key.
 */
export async function trackOrder(
	{ db, limits }: Context,
	{ email, reference, client }: { email: string; reference: string; client: string },
): Promise<TrackOutcome> {
	const number = parseOrderNumber(reference);
	const id = reference.trim();
	const order = await findOrderByReference(db, number ? { number } : { id: isUuid(id) ? id : unusedOrderId });
	// net: anonymiseCustomers blanks the e-mail of an erased order; an empty e-mail must not open it
	if (order && order.erased_at === null && normalizeEmail(order.customer_email) === normalizeEmail(email)) return { ok: true, order };
	const taken = await takeEach([
		{ limit: limits("track-client", failuresPerClient, failureWindow), subject: client },
		{ limit: limits("track-email", failuresPerEmail, failureWindow), subject: [client, normalizeEmail(email)] },
	]);
	return taken.ok ? { ok: false, code: "not-found" } : { ...taken, code: "limited" };
}
