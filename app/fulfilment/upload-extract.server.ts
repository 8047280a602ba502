import type { Database, Trx } from "../../server/database/database.ts";
import { isPosted } from "../catalogue/services.ts";
import { findExtractByHash, listNeededPaths } from "../documents/documents.store.server.ts";
import type { StorageContext } from "../documents/storage.ts";
import { type Confirmations, checkExtract, type ExtractCheck, type ExtractWarning } from "../extracts/check-extract.server.ts";
import type { InspectorContext } from "../extracts/inspect-pdf.server.ts";
import type { Order } from "../orders/order.ts";
import { findOrder, lockOrder } from "../orders/orders.server.ts";
import { checkCorrectable } from "./check-correctable.server.ts";
import { checkServable, type NotServable } from "./check-servable.ts";
import { endClaim } from "./claims/claim-order.server.ts";
import { deleteDrafts } from "./drafts/drafts.server.ts";
import { findUploadByHash, lockHash, lockRequest, recordUpload, type UploadedExtract } from "./extract-requests.store.server.ts";

/** The extract is accepted, or its file fails the checks, or the order refuses it. */
export type UploadOutcome<Refusal extends string> =
	| { ok: true; warnings: ExtractWarning[] }
	| Extract<ExtractCheck, { ok: false }>
	| { ok: false; code: Refusal };

/** `of-another-order`: the file is another order's extract. */
export type UploadRefusal = NotServable | "refunded" | "unknown-order" | "reported-not-found" | "other-extract" | "of-another-order";

/** A file that the operator uploads for an order. `confirmed`: the checks that they confirm themselves. */
export interface UploadedFile {
	orderId: string;
	bytes: Uint8Array;
	confirmed?: Confirmations;
	/** The operator's name, for the history. */
	by?: string;
	/** The moment at which the extract’s age is judged; now by default. */
	requestedAt?: Date;
}

/** Checks and stores extracts. */
export type UploadContext = StorageContext & InspectorContext;

/**
 * Accepts the operator's extract for an order: checks it, stores it byte for byte, and sends the order's job.
 * The same file again changes nothing; another one is refused.
 * @throws when the storage or the PDF inspector fails; nothing is recorded then.
 */
export async function uploadExtract(context: UploadContext, uploaded: UploadedFile): Promise<UploadOutcome<UploadRefusal>> {
	const { jobs, now } = context;
	return acceptExtract<UploadRefusal>(context, uploaded, {
		check: (db, order) => checkDeliverable(db, order),
		async record(trx, { id: orderId }, extract) {
			const request = await lockRequest(trx, orderId, now());
			// the rule; net: if both are recorded, the issuer returns the extract
			if (request.not_found_at) return "reported-not-found";
			// the rule; net: recordUpload
			if (request.sha256 !== null && request.sha256 !== extract.sha256) return "other-extract";
			if (await belongsToAnotherOrder(trx, orderId, extract.sha256)) return "of-another-order";
			await recordUpload(trx, orderId, extract, now());
			await deleteDrafts(trx, [orderId]);
			await endClaim(trx, orderId);
			await jobs.send(trx, "fulfil-order", { orderId, because: "uploaded" });
			return null;
		},
	});
}

/** Why an order accepts no extract: it is not in progress, or refunded in full for another reason than its delay. */
export async function checkDeliverable(db: Database | Trx, order: Order): Promise<NotServable | "refunded" | null> {
	return checkServable(order) ?? ((await checkCorrectable(db, order)) === "refunded" ? "refunded" : null);
}

/**
 * Checks a file, stores it, and records it in a transaction. A file that was checked for the company that the order had before is another
 * company's.
 * @param check returns why the order accepts no extract, or null. Called before the file is stored, and again in the transaction.
 * @param record records the file while its hash and its order are locked, or returns a refusal; the file is then deleted.
 */
export async function acceptExtract<Refusal extends string>(
	context: UploadContext,
	{ orderId, bytes, confirmed = {}, by, requestedAt = context.now() }: UploadedFile,
	steps: {
		check: (db: Database | Trx, order: Order) => Promise<Refusal | null>;
		record: (trx: Trx, order: Order, extract: UploadedExtract) => Promise<Refusal | null>;
	},
): Promise<UploadOutcome<Refusal | "unknown-order">> {
	const { db, environment, storage } = context;
	const order = await findOrder(db, orderId);
	if (order === null) return { ok: false, code: "unknown-order" };
	const refused = await steps.check(db, order);
	if (refused !== null) return { ok: false, code: refused };
	const checked = await checkExtract(context, bytes, {
		siren: order.siren,
		now: requestedAt,
		specimens: !environment.production,
		confirmed,
		takesPictures: isPosted(order.product_code),
	});
	if (!checked.ok) return checked;

	const stored = await storage.put(bytes);
	return db.transaction().execute(async (trx): Promise<UploadOutcome<Refusal | "unknown-order">> => {
		await lockHash(trx, stored.sha256);
		// the rule: the order may have ended during the checks, or be about another company since
		const present = await lockOrder(trx, orderId);
		const extract = { ...stored, issuedAt: checked.issuedAt, by, confirmed: checked.confirmed };
		const refused =
			present === null
				? "unknown-order"
				: ((await steps.check(trx, present)) ??
					(present.siren === order.siren ? await steps.record(trx, present, extract) : "other-company"));
		if (refused === null) return { ok: true, warnings: checked.warnings };
		const neededPath = (await findUploadByHash(trx, stored.sha256))?.storage_path ?? (await listNeededPaths(trx, [stored.path], [])).at(0);
		if (!neededPath) await storage.remove(stored.path);
		return refused === "other-company" ? { ok: false, code: "other-company", confirm: null } : { ok: false, code: refused };
	});
}

/** Whether a file is another order's extract. The rule; net: extract_requests.sha256 is unique. */
export async function belongsToAnotherOrder(db: Database | Trx, orderId: string, sha256: string): Promise<boolean> {
	const uses = [await findUploadByHash(db, sha256), await findExtractByHash(db, sha256)];
	return uses.some((use) => use !== null && use.order_id !== orderId);
}
