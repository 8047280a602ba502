import { Temporal } from "temporal-polyfill";
import type { Database } from "../../../server/database/database.ts";
import { zone } from "../../catalogue/instants.ts";
import { listExtractsByHash } from "../../documents/documents.server.ts";
import type { FileOrigin } from "../../documents/verify/file-origin.ts";
import { findDocumentOrigin } from "./find-document-origin.server.ts";

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
