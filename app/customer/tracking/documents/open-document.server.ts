import { describeFault } from "../../../../server/observability/log.ts";
import { getDocumentFileName } from "../../../emails/name-document.server.ts";
import { type DocumentReadFailure, findReadableDocument, readDocument } from "../../../emails/read-document.server.ts";
import { recordOpening } from "../../../orders/documents/documents.store.server.ts";
import type { StorageContext } from "../../../orders/documents/storage.ts";
import { readKey } from "../../../orders/keys.server.ts";

/** `frozen`: the payment is disputed. */
export type DocumentRefusal = { ok: false; code: "tampered" | "expired" | "frozen" } | DocumentReadFailure;

/**
 * Reads the document of a link, or the extract that replaced it. A purged document answers like an expired link.
 * @param counts whether somebody gets the file: a HEAD proves no opening.
 */
export async function openDocument(
	context: StorageContext,
	token: string,
	{ counts }: { counts: boolean },
): Promise<{ ok: true; bytes: Uint8Array<ArrayBuffer>; fileName: string } | DocumentRefusal> {
	const { db, now, log } = context;
	const link = readKey(context, "document", token);
	if (!link.ok) return link;
	// the rule; describeOrder shows no link to a disputed or purged document
	const found = await findReadableDocument(db, link.key.id);
	if (!found.ok) return found;
	const { document, order } = found;
	const read = await readDocument(context, document);
	if (!read.ok) return read;
	const opened = { ...read, fileName: await getDocumentFileName(db, order, document) };
	if (!counts) return opened;
	// the proof for a dispute; a document opens also when it cannot be recorded
	await recordOpening(db, document.id, now()).catch((error) =>
		log.warn({ document: document.id, error: describeFault(error) }, "an opening is not recorded"),
	);
	log.info({ order: order.id, document: document.id, type: document.doc_type }, "a document was opened");
	return opened;
}
