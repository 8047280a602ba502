import type { Context } from "../../../server/runtime.ts";
import { parseUnsubscribeToken } from "./links.server.ts";
import { isSubscribed, markEnded } from "./subscriptions.store.server.ts";

export type UnsubscribeState = "subscribed" | "ended" | "wrong";

/** Reads the state behind an unsubscribe link. Changes nothing, because mail scanners open links too. */
export async function getUnsubscribeState(context: Context, token: string): Promise<UnsubscribeState> {
	const subscriptionId = parseUnsubscribeToken(context, token);
	if (subscriptionId === null) return "wrong";
	return (await isSubscribed(context.db, subscriptionId)) ? "subscribed" : "ended";
}

/**
 * Ends the subscription of the address that received the issue (GDPR art. 7.3). A repetition changes nothing.
 * The link of an old issue also ends a later subscription of the same address.
 */
export async function endSubscription(context: Context, token: string): Promise<void> {
	const subscriptionId = parseUnsubscribeToken(context, token);
	if (subscriptionId !== null) await markEnded(context.db, subscriptionId, context.now());
}
