/** Exports for other concepts. */

export {
	countSubscriptions,
	deleteOldProofs,
	deleteOldRequests,
	deleteSubscriptionsByEmail,
	endOldSubscriptions,
	listSubscriptionsByEmail,
} from "./subscriptions.store.server.ts";
