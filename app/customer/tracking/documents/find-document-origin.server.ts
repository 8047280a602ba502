import { Temporal } from "temporal-polyfill";
import type { Database } from "../../../../server/database/database.ts";
import { zone } from "../../../catalogue/instants.ts";
import type { Siren } from "../../../companies/siren.ts";
import { listMails } from "../../../mail/mails.store.server.ts";
import { listExtractsByHash, type StoredDocument } from "../../../orders/documents/documents.store.server.ts";
import { findOrder } from "../../../orders/orders.store.server.ts";
import type { FileOrigin } from "../../verification/file-origin.ts";

/**
 * The public data of an extract's order, without anything of the customer: the company as the registry names it, and the delivery of the
 * extract, which for a replacement is later than the order's; null before the delivery.
 */
export async function findDocumentOrigin(
	db: Database,
	{ id, order_id, created_at }: Pick<StoredDocument, "id" | "order_id" | "created_at">,
): Promise<{ companyName: string; siren: Siren; deliveredAt: Date | null } | null> {
	const order = await findOrder(db, order_id);
	if (order === null) return null;
	const { completed_at } = order;
	const deliveredAt = completed_at ? (created_at > completed_at ? created_at : completed_at) : await findFirstSending(db, order_id, id);
	return { companyName: order.company_name, siren: order.siren, deliveredAt };
}

/** A second recipient may have the extract before the customer, whose mailbox refuses it for a while. */
async function findFirstSending(db: Database, orderId: string, documentId: string): Promise<Date | null> {
	const sent = (await listMails(db, orderId)).flatMap(({ document_id, sent_at }) =>
		document_id === documentId && sent_at ? [sent_at] : [],
	);
	return sent.length > 0 ? new Date(Math.min(...sent.map(Number))) : null;
}

/**
 * Finds the delivered extract with this hash, for anybody who holds the file. Says the day only: neither company nor customer
 * (docs/decisions/0027-a-file-can-be-verified-alone.md). An extract that is not delivered yet is unknown.
 */
export async function findFileOrigin(db: Database, sha256: string): Promise<FileOrigin> {
	for (const extract of await listExtractsByHash(db, sha256)) {
		const origin = await findDocumentOrigin(db, extract);
		if (!origin?.deliveredAt) continue;
		return {
			known: true,
			deliveredOn: formatIsoDay(origin.deliveredAt),
			replacedOn: extract.replaced_at && formatIsoDay(extract.replaced_at),
		};
	}
	return { known: false };
}

const formatIsoDay = (instant: Date) =>
	Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString();
