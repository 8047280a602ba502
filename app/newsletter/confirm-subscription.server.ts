import type { Runtime } from "../../server/runtime.ts";
import { readConfirmationToken } from "./links.server.ts";
import { findSubscription, markConfirmed } from "./subscriptions.store.server.ts";

/** What a confirmation link leads to. `expired`: the link is too old, or the subscription has ended or was deleted. */
export type ConfirmationState = "asked" | "confirmed" | "expired" | "wrong";

/** Changes nothing: mail scanners open links too. */
export async function readConfirmation(deps: Pick<Runtime, "db" | "signer" | "now">, token: string): Promise<ConfirmationState> {
	const read = readConfirmationToken(deps, token);
	if (read === null) return "wrong";
	const subscription = await findSubscription(deps.db, read.subscriptionId);
	if (subscription === null || subscription.unsubscribed_at) return "expired";
	if (subscription.confirmed_at) return "confirmed";
	return read.expired ? "expired" : "asked";
}

/** Records the consent with its time; a second time changes nothing. */
export async function confirmSubscription(deps: Pick<Runtime, "db" | "signer" | "now">, token: string): Promise<void> {
	const read = readConfirmationToken(deps, token);
	// the rule; net: deleteOldRequests deletes the request each night
	if (read && !read.expired) await markConfirmed(deps.db, read.subscriptionId, deps.now());
}
