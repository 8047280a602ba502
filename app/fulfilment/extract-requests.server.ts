/** Exports for other concepts. */

export {
	anonymisePostings,
	deleteExtractRequests,
	deleteUploads,
	findRequest,
	listPathsOfOtherOrders,
	listUploads,
} from "./extract-requests.store.server.ts";
