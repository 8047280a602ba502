import type { Runtime } from "../../server/runtime.ts";
import { readEndToken } from "./links.server.ts";
import { isSubscribed, markEnded } from "./subscriptions.store.server.ts";

export type EndState = "subscribed" | "ended" | "wrong";

/** Changes nothing: mail scanners open links too. */
export async function readEnd(deps: Pick<Runtime, "db" | "signer">, token: string): Promise<EndState> {
	const subscriptionId = readEndToken(deps, token);
	if (subscriptionId === null) return "wrong";
	return (await isSubscribed(deps.db, subscriptionId)) ? "subscribed" : "ended";
}

/**
 * Ends the subscription of the address that received the issue, as easily as it began (GDPR art. 7.3); a second time changes nothing.
 * The link of an old issue also ends a later subscription of the same address.
 */
export async function endSubscription(deps: Pick<Runtime, "db" | "signer" | "now">, token: string): Promise<void> {
	const subscriptionId = readEndToken(deps, token);
	if (subscriptionId !== null) await markEnded(deps.db, subscriptionId, deps.now());
}
