import type { Database } from "../../server/database/database.ts";
import { enqueueRequest, findRequest } from "./extract-requests.store.server.ts";
import type { Issuer } from "./issuer.ts";

/**
 * The operator obtains the extract from the greffe and uploads it (docs/rules.md, R21). Until then the order waits in the
 * fulfilment queue (`extract_requests`). The uploaded file is delivered byte for byte.
 * @param read gives a stored file's bytes; it throws when the file is missing.
 */
export function manualIssuer({ db, read, now }: { db: Database; read: (path: string) => Promise<Uint8Array>; now: () => Date }): Issuer {
	return {
		name: "manual",
		async request({ orderId }) {
			await enqueueRequest(db, orderId, now());
			return { state: "accepted" };
		},
		async result({ orderId }) {
			const row = await findRequest(db, orderId);
			// net: reportExtractNotFound and uploadExtract let an order have one or the other
			if (row?.storage_path && row.issued_at) return { state: "ready", pdf: await read(row.storage_path), issuedAt: row.issued_at };
			return { state: row?.not_found_at ? "not-found" : "pending" };
		},
		async post({ orderId }) {
			const trackingNumber = (await findRequest(db, orderId))?.tracking_number;
			return trackingNumber ? { state: "posted", trackingNumber } : { state: "pending" };
		},
	};
}
