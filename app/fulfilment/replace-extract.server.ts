import type { Database, Trx } from "../../server/database/database.ts";
import { isPosted } from "../catalogue/services.ts";
import { contentAddress } from "../documents/content-address.server.ts";
import { findExtract, markReplaced } from "../documents/documents.server.ts";
import { insertDocument } from "../documents/insert-document.server.ts";
import { LostFile, type StorageContext } from "../documents/storage.ts";
import type { ExtractWarning } from "../extracts/check-extract.server.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { queueOrderEmail } from "../order-emails/queue-order-email.server.ts";
import { lockOrder, recordEvent } from "../orders/orders.server.ts";
import { checkCorrectable, type NotCorrectable } from "./check-correctable.server.ts";
import { findRequest, replaceUpload } from "./extract-requests.store.server.ts";
import { acceptExtract, belongsToAnotherOrder, type UploadedFile, type UploadOutcome } from "./upload-extract.server.ts";

/**
 * `restored`: it was this order's extract already, and its file was lost. `toDeliver`: the delivery that is still due takes it.
 * `toPost`: the operator posts it, and then records the tracking number.
 */
export type Replacement = "replaced" | "restored" | "toDeliver" | "toPost";

export type ReplaceOutcome =
	| { ok: true; did: Replacement; warnings: ExtractWarning[] }
	| Extract<UploadOutcome<ReplaceRefusal>, { ok: false }>;

/**
 * `just-posted`: until the job has completed the order, as another extract would come too late for the letter that left.
 * `not-issued`: the uploaded extract is not issued yet. `purged`: it is the order's extract, which is no longer kept.
 */
export type ReplaceRefusal =
	| NotCorrectable
	| "unknown-order"
	| "no-upload"
	| "not-issued"
	| "same-extract"
	| "purged"
	| "just-posted"
	| "of-another-order";

/**
 * Puts another extract in the place of the one that an order has, with the same checks. From then on pages, links and mails give the new
 * one; the old one's row and hash stay, and say when and why. By e-mail, the customer is written to at once; a letter is posted anew
 * (postExtract). The very file that the order has puts back one that the storage lost.
 * @param because the operator's reason, for the shop only.
 * @throws when the storage or the inspector of PDFs fails: nothing is changed.
 */
export async function replaceExtract(context: StorageContext, uploaded: UploadedFile & { because: string }): Promise<ReplaceOutcome> {
	const { orderId, bytes, because } = uploaded;
	const known = await findExtract(context.db, orderId);
	if (known?.sha256 === contentAddress(bytes).sha256) return restoreFile(context, orderId, bytes);
	let did: Replacement = "replaced";
	const outcome = await acceptExtract<ReplaceRefusal>(context, uploaded, {
		check: async (db, order) =>
			(await checkCorrectable(db, order)) ?? ((await findExtract(db, order.id)) === null ? await checkUpload(db, order.id) : null),
		async record(trx, _, extract) {
			// the rule: it is looked at as it is now, and nobody else changes it
			const order = await lockOrder(trx, orderId);
			const old = await findExtract(trx, orderId);
			const refused = order === null ? "unknown-order" : await checkCorrectable(trx, order);
			if (order === null || old === null || refused !== null) return refused;
			if (old.sha256 === extract.sha256) return "same-extract";
			if (order.status !== "completed" && (await findRequest(trx, orderId))?.tracking_number) return "just-posted";
			if (await belongsToAnotherOrder(trx, orderId, extract.sha256)) return "of-another-order";
			const now = context.now();
			await markReplaced(trx, old.id, { because, now });
			const stored = { path: extract.path, sha256: extract.sha256, bytes: extract.bytes };
			const document = await insertDocument(trx, { orderId, type: "kbis", issuedAt: extract.issuedAt, stored, now });
			await replaceUpload(trx, orderId, extract, now);
			const delivered = order.status === "completed";
			if (!delivered) did = "toDeliver";
			else if (isPosted(order.product_code)) did = "toPost";
			await recordEvent(trx, {
				orderId,
				type: "extract_replaced",
				payload: { document_id: document.id, replaces: old.id, ...(did === "toPost" && { post: true }) },
				now,
			});
			if (did !== "replaced") return null;
			await queueOrderEmail(context, trx, { orderId, kind: "extract-replaced", documentId: document.id });
			if (order.delivery_email !== null && normalizeEmail(order.delivery_email) !== normalizeEmail(order.customer_email))
				await queueOrderEmail(context, trx, { orderId, kind: "extract-replaced-delivery", documentId: document.id });
			return null;
		},
	});
	return outcome.ok ? { ...outcome, did } : outcome;
}

/** An uploaded file becomes the order's extract by a job: until then there is nothing to replace, and upload takes no other file. */
async function checkUpload(db: Database | Trx, orderId: string): Promise<"not-issued" | "no-upload"> {
	return (await findRequest(db, orderId))?.storage_path ? "not-issued" : "no-upload";
}

/** Stores the file of an order's extract again, for a storage that lost it. An extract that is no longer kept stays deleted. */
async function restoreFile({ db, storage }: StorageContext, orderId: string, bytes: Uint8Array): Promise<ReplaceOutcome> {
	return db.transaction().execute(async (trx): Promise<ReplaceOutcome> => {
		const order = await lockOrder(trx, orderId);
		const extract = await findExtract(trx, orderId);
		if (order === null || extract === null) return refuse("same-extract");
		if (extract.purged_at !== null) return refuse("purged");
		const isThere = await storage.get(extract.storage_path).then(
			() => true,
			(error: unknown) => {
				if (error instanceof LostFile) return false;
				throw error;
			},
		);
		if (isThere || extract.storage_path !== (await storage.put(bytes)).path) return refuse("same-extract");
		return { ok: true, did: "restored", warnings: [] };
	});
}

const refuse = (code: ReplaceRefusal) => ({ ok: false as const, code });
