/** What other concepts read and change of the fulfilment queue. */

export {
	findOnDesk,
	forgetPostings,
	forgetUploads,
	listPathsHandedInElsewhere,
	listUploads,
	takeOffDesk,
} from "./extract-requests.store.server.ts";
