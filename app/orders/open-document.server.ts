import type { Runtime } from "../../server/runtime.ts";
import { findDocument } from "../documents/documents.store.server.ts";
import { readDocumentLink } from "../documents/signed-link.server.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import { findOrder } from "./orders.store.server.ts";

/** `frozen`: the payment of its order is disputed. */
export type UnopenedDocument = { ok: false; reason: "tampered" | "expired" | "frozen" };

const fileNames = { kbis: "kbis", invoice: "facture", credit_note: "avoir" } as const;

/** Reads the document that a link names; a document that is gone answers as an expired link does. */
export async function openDocument(
	{ db, signer, now, log, storage }: Pick<Runtime, "db" | "signer" | "now" | "log"> & { storage: DocumentStorage },
	token: string,
): Promise<{ ok: true; bytes: Uint8Array<ArrayBuffer>; fileName: string } | UnopenedDocument> {
	const link = readDocumentLink(signer, token, now());
	if (!link.ok) return link;
	const document = await findDocument(db, link.documentId);
	const order = document && (await findOrder(db, document.order_id));
	// the rule; describeOrder shows no link to what is frozen or gone
	if (document === null || order === null || document.purged_at !== null || order.erased_at !== null)
		return { ok: false, reason: "expired" };
	if (order.disputed_at !== null) return { ok: false, reason: "frozen" };
	log.info({ document: document.id }, "a document was opened");
	return {
		ok: true,
		bytes: new Uint8Array(await storage.get(document.storage_path)),
		fileName: `${fileNames[document.doc_type]}-${document.id.slice(0, 8)}.pdf`,
	};
}
