/** Exports for other concepts. */

export {
	anonymiseReplaceReasons,
	type DocumentType,
	deleteDocuments,
	deleteOpenings,
	findCurrentDocument,
	findDocument,
	findExtract,
	findExtractByHash,
	listDocuments,
	listDocumentsById,
	listExtracts,
	listExtractsByHash,
	listNeededPaths,
	listOpenings,
	listStoredDocuments,
	markPurged,
	markReplaced,
	recordOpening,
	type StoredDocument,
} from "./documents.store.server.ts";
