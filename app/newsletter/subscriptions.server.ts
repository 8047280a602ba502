/** What other concepts read and delete of subscriptions. */

export {
	countSubscriptions,
	deleteOldProofs,
	deleteOldRequests,
	deleteSubscriptionsOf,
	endOldSubscriptions,
	listSubscriptionsOf,
} from "./subscriptions.store.server.ts";
