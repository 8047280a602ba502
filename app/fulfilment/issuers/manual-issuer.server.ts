import type { Database } from "../../../server/database/database.ts";
import { enqueueRequest, findRequest } from "../extract-requests.store.server.ts";
import type { Issuer } from "./issuer.ts";

/**
 * The operator obtains the extract from the greffe and uploads it (docs/rules.md, R21). Until then the order waits in the
 * fulfilment queue (`extract_requests`). The uploaded file is delivered byte for byte.
 * @param read returns a stored file's bytes; throws when the file is missing.
 */
export function manualIssuer({ db, read, now }: { db: Database; read: (path: string) => Promise<Uint8Array>; now: () => Date }): Issuer {
	return {
		name: "manual",
		async request({ orderId }) {
			await enqueueRequest(db, orderId, now());
			return { state: "queued" };
		},
		async result({ orderId }) {
			const request = await findRequest(db, orderId);
			// net: reportExtractNotFound and uploadExtract never record both
			if (request?.storage_path && request.issued_at)
				return { state: "ready", pdf: await read(request.storage_path), issuedAt: request.issued_at };
			return { state: request?.not_found_at ? "not-found" : "pending" };
		},
		async post({ orderId }) {
			const trackingNumber = (await findRequest(db, orderId))?.tracking_number;
			return trackingNumber ? { state: "posted", trackingNumber } : { state: "pending" };
		},
	};
}
