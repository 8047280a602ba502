/** What other concepts read and change of the fulfilment queue. */

export {
	anonymisePostings,
	deleteExtractRequests,
	deleteUploads,
	findRequest,
	listPathsOfOtherOrders,
	listUploads,
} from "./extract-requests.store.server.ts";
