import type { Context } from "../../../server/runtime.ts";
import { parseConfirmationToken } from "./links.server.ts";
import { findSubscription, markConfirmed } from "./subscriptions.store.server.ts";

/** The state behind a confirmation link. `expired`: the link is too old, or the subscription has ended or was deleted. */
export type ConfirmationState = "asked" | "confirmed" | "expired" | "wrong";

/** Reads the state behind a confirmation link. Changes nothing, because mail scanners open links too. */
export async function getConfirmationState(context: Context, token: string): Promise<ConfirmationState> {
	const link = parseConfirmationToken(context, token);
	if (link === null) return "wrong";
	const subscription = await findSubscription(context.db, link.subscriptionId);
	if (subscription === null || subscription.unsubscribed_at) return "expired";
	if (subscription.confirmed_at) return "confirmed";
	return link.expired ? "expired" : "asked";
}

/** Records the consent with its time. A repetition changes nothing. */
export async function confirmSubscription(context: Context, token: string): Promise<void> {
	const link = parseConfirmationToken(context, token);
	// this is the rule; deleteOldRequests also deletes expired requests each night
	if (link && !link.expired) await markConfirmed(context.db, link.subscriptionId, context.now());
}
