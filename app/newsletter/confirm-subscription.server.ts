import type { Runtime } from "../../server/runtime.ts";
import { readConfirmationToken } from "./links.server.ts";
import { findSubscription, markConfirmed } from "./subscriptions.store.server.ts";

/** What a link to confirm leads to. `expired`: it is too old, or what it was to confirm has ended or is forgotten. */
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

/** Keeps the consent of whoever holds the link, with its hour; the second time changes nothing. */
export async function confirmSubscription(deps: Pick<Runtime, "db" | "signer" | "now">, token: string): Promise<void> {
	const read = readConfirmationToken(deps, token);
	// the rule; net: deleteOldRequests deletes the request each night
	if (read && !read.expired) await markConfirmed(deps.db, read.subscriptionId, deps.now());
}
