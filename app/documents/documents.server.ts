/** What other concepts read and change of documents. */

export {
	deleteDocuments,
	findCurrentDocument,
	findDocument,
	findExtract,
	findExtractByHash,
	forgetReplaceReasons,
	listDocuments,
	listKeptDocuments,
	listNeededPaths,
	markPurged,
	markReplaced,
	type StoredDocument,
} from "./documents.store.server.ts";
