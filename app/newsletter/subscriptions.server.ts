/** The functions of the subscription store that other concepts may use. */

export {
	countSubscriptions,
	deleteOldProofs,
	deleteOldRequests,
	deleteSubscriptionsByEmail,
	endOldSubscriptions,
	listSubscriptionsByEmail,
} from "./subscriptions.store.server.ts";
