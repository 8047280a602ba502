import { foldAddress } from "../../server/fold-address.ts";
import type { Runtime } from "../../server/runtime.ts";
import { isUuid } from "../../server/uuid.ts";
import type { Order } from "./order.ts";
import { parseOrderNumber } from "./order-number.server.ts";
import { findOrderByReference } from "./orders.store.server.ts";

/** Failed look-ups allowed per quarter of an hour. Successes are free: a page that watches an order must not lock itself out. */
export const failuresPerEmail = 20;
export const failuresPerAddress = 60;
export const failureWindow = 900;

const nobodysOrder = "00000000-0000-4000-8000-000000000000";

/**
 * Finds an order by what only its customer knows: e-mail and number (or UUID). The answer and its work are the same,
 * whichever of the two is wrong (decision C2).
 */
export async function trackOrder(
	{ db, limits }: Pick<Runtime, "db" | "limits">,
	{ email, reference, address }: { email: string; reference: string; address: string },
): Promise<{ ok: true; order: Order } | { ok: false; reason: "not-found" | "limited" }> {
	const byEmail = limits("track-email", failuresPerEmail, failureWindow);
	const byAddress = limits("track-address", failuresPerAddress, failureWindow);
	const [emailBlocked, addressBlocked] = await Promise.all([byEmail.isExceeded(foldAddress(email)), byAddress.isExceeded(address)]);
	if (emailBlocked || addressBlocked) return { ok: false, reason: "limited" };

	const number = parseOrderNumber(reference);
	const id = reference.trim().toLowerCase();
	const order = await findOrderByReference(db, number ? { number } : { id: isUuid(id) ? id : nobodysOrder });
	if (order && order.erased_at === null && foldAddress(order.customer_email) === foldAddress(email)) return { ok: true, order };
	await Promise.all([byEmail.count(foldAddress(email)), byAddress.count(address)]);
	return { ok: false, reason: "not-found" };
}
