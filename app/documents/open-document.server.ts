import type { Runtime } from "../../server/runtime.ts";
import { findDocument } from "./documents.store.server.ts";
import { readDocumentLink } from "./signed-link.server.ts";
import type { DocumentStorage } from "./storage.ts";

/** Reads the document that a link names; a document that is gone answers as an expired link does. */
export async function openDocument(
	{ db, signer, now, log, storage }: Pick<Runtime, "db" | "signer" | "now" | "log"> & { storage: DocumentStorage },
	token: string,
): Promise<{ ok: true; bytes: Uint8Array<ArrayBuffer>; fileName: string } | { ok: false; reason: "tampered" | "expired" }> {
	const link = readDocumentLink(signer, token, now());
	if (!link.ok) return link;
	const document = await findDocument(db, link.documentId);
	if (document === null) return { ok: false, reason: "expired" };
	log.info({ document: document.id }, "a document was opened");
	return {
		ok: true,
		bytes: new Uint8Array(await storage.get(document.storage_path)),
		fileName: `${document.doc_type}-${document.id.slice(0, 8)}.pdf`,
	};
}
