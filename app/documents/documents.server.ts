/** Exports for other concepts. */

export {
	anonymiseReplaceReasons,
	type DocumentType,
	deleteDocuments,
	findCurrentDocument,
	findDocument,
	findExtract,
	findExtractByHash,
	listDocuments,
	listExtractsByHash,
	listNeededPaths,
	listStoredDocuments,
	markPurged,
	markReplaced,
	type StoredDocument,
} from "./documents.store.server.ts";
