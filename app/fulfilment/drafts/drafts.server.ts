/** Exports for other concepts. */

export {
	deleteDrafts,
	deleteOldDrafts,
} from "./drafts.store.server.ts";
