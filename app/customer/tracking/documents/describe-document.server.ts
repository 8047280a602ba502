import type { Database } from "../../../../server/database/database.ts";
import { isUuid } from "../../../../server/uuid.ts";
import { findDocument, findExtract } from "../../../orders/documents/documents.store.server.ts";
import { documentNames } from "../../../orders/documents/file-name.ts";
import { describeExtractWatch } from "../../../orders/watch/describe-watch.server.ts";
import { findDocumentOrigin } from "./find-document-origin.server.ts";

/**
 * A delivered document as third parties may see it, without anything of the customer: what was published since an extract is the same
 * whatever became of its order. Null when no document has this id.
 */
export async function describeDocument(db: Database, id: string, now: Date) {
	const document = isUuid(id) ? await findDocument(db, id) : null;
	if (document === null) return null;
	// only for extracts: the company on an invoice is the customer's own
	const extract = document.doc_type === "kbis" ? await findDocumentOrigin(db, document) : null;
	const replacedBy = document.replaced_at === null ? null : await findExtract(db, document.order_id);
	const delivered = extract?.deliveredAt && document.replaced_at === null ? { ...extract, deliveredAt: extract.deliveredAt } : null;
	return {
		type: documentNames[document.doc_type] ?? document.doc_type,
		issuedAt: document.issued_at.toISOString(),
		deliveredAt: (extract ? extract.deliveredAt : document.created_at)?.toISOString() ?? null,
		company: extract && { name: extract.companyName, siren: extract.siren },
		bytes: document.bytes,
		sha256: document.sha256,
		purged: document.purged_at !== null,
		watch: delivered && (await describeExtractWatch(db, { ...delivered, issuedAt: document.issued_at }, now)),
		replaced: document.replaced_at && { at: document.replaced_at.toISOString(), by: replacedBy?.id ?? null },
	};
}
