/** Exports for other concepts. */

export {
	type Draft,
	deleteDraft,
	deleteDrafts,
	deleteOldDrafts,
	listDrafts,
	listDraftsOfOperator,
} from "./drafts.store.server.ts";
