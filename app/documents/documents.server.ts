/** What other concepts read and change of documents. */

export {
	anonymiseReplaceReasons,
	deleteDocuments,
	findCurrentDocument,
	findDocument,
	findExtract,
	findExtractByHash,
	listDocuments,
	listNeededPaths,
	listStoredDocuments,
	markPurged,
	markReplaced,
	type StoredDocument,
} from "./documents.store.server.ts";
