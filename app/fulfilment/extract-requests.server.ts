/** The functions on the fulfilment queue that other folders may use. */

export {
	anonymisePostings,
	deleteExtractRequests,
	deleteUploads,
	findRequest,
	listPathsOfOtherOrders,
	listUploads,
} from "./extract-requests.store.server.ts";
