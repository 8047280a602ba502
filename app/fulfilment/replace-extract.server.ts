import type { Database, Trx } from "../../server/database/database.ts";
import { isPosted } from "../catalogue/services.ts";
import { queueOrderEmail } from "../emails/queue-order-email.server.ts";
import { contentAddress } from "../orders/documents/content-address.server.ts";
import { findExtract, markReplaced } from "../orders/documents/documents.store.server.ts";
import { insertDocument } from "../orders/documents/insert-document.server.ts";
import { LostFile, type StorageContext } from "../orders/documents/storage.ts";
import type { Order } from "../orders/order.ts";
import { lockOrder, recordEvent } from "../orders/orders.store.server.ts";
import { findRecipient } from "../orders/recipient.ts";
import { checkCorrectable, type NotCorrectable } from "./check-correctable.server.ts";
import { deleteDrafts } from "./drafts/drafts.store.server.ts";
import { describeUpload, findRequest, replaceUpload } from "./extract-requests.store.server.ts";
import type { ExtractWarning } from "./extracts/judge-extract.ts";
import {
	acceptExtract,
	belongsToAnotherOrder,
	type UploadContext,
	type UploadedFile,
	type UploadOutcome,
} from "./upload-extract.server.ts";

/**
 * `toDeliver`: the pending delivery uses the new extract.
 * `toPost`: the operator posts the new extract and records its tracking number.
 */
type Replacement = "replaced" | "toDeliver" | "toPost";

export type ReplaceOutcome =
	| { ok: true; replacement: Replacement; warnings: ExtractWarning[] }
	| Extract<UploadOutcome<ReplaceRefusal>, { ok: false }>;

/** `just-posted`: the letter is posted, and the job has not completed the order yet. `not-issued`: the upload is not a document yet. */
export type ReplaceRefusal =
	| NotCorrectable
	| "unknown-order"
	| "no-upload"
	| "not-issued"
	| "same-extract"
	| "just-posted"
	| "of-another-order";

/**
 * Replaces the extract of an order, with the same checks as an upload. Pages, links and e-mails then lead to the new one; the old row
 * keeps its hash, with date and reason. A customer by e-mail is informed at once; a letter is posted again (postExtract).
 * @param because the operator's reason, never shown to the customer.
 * @throws when the storage or the PDF inspector fails; nothing changes then.
 */
export async function replaceExtract(context: UploadContext, uploaded: UploadedFile & { because: string }): Promise<ReplaceOutcome> {
	const { orderId, bytes, because } = uploaded;
	const present = await findExtract(context.db, orderId);
	if (present?.sha256 === contentAddress(bytes).sha256) return { ok: false, code: "same-extract" };
	let replacement: Replacement = "replaced";
	const outcome = await acceptExtract<ReplaceRefusal>(context, uploaded, {
		check: checkReplaceable,
		async record(trx, order, extract) {
			const old = await findExtract(trx, orderId);
			if (old === null) throw new Error("checkReplaceable accepts no order without an extract");
			const now = context.now();
			await markReplaced(trx, old.id, { because, now });
			const stored = { path: extract.path, sha256: extract.sha256, bytes: extract.bytes };
			const document = await insertDocument(trx, { orderId, type: "kbis", issuedAt: extract.issuedAt, stored, now });
			await replaceUpload(trx, orderId, extract, now);
			await deleteDrafts(trx, [orderId]);
			const delivered = order.status === "completed";
			if (!delivered) replacement = "toDeliver";
			else if (isPosted(order.product_code)) replacement = "toPost";
			await recordEvent(trx, {
				orderId,
				type: "extract_replaced",
				payload: {
					document_id: document.id,
					replaces: old.id,
					...describeUpload(extract),
					...(replacement === "toPost" && { post: true }),
				},
				now,
			});
			if (replacement !== "replaced") return;
			await queueOrderEmail(context, trx, { orderId, kind: "extract-replaced", documentId: document.id });
			if (findRecipient(order))
				await queueOrderEmail(context, trx, { orderId, kind: "extract-replaced-delivery", documentId: document.id });
		},
	});
	return outcome.ok ? { ...outcome, replacement } : outcome;
}

/** Why a file may not replace the extract of an order; null when nothing speaks against it. */
export async function checkReplaceable(db: Database | Trx, order: Order, sha256: string): Promise<ReplaceRefusal | null> {
	const refused = await checkCorrectable(db, order);
	if (refused !== null) return refused;
	const present = await findExtract(db, order.id);
	if (present === null) return checkUpload(db, order.id);
	if (present.sha256 === sha256) return "same-extract";
	if (order.status !== "completed" && (await findRequest(db, order.id))?.tracking_number) return "just-posted";
	return (await belongsToAnotherOrder(db, order.id, sha256)) ? "of-another-order" : null;
}

/** Why an order without an extract has nothing to replace: its upload is not a document yet, or there is none. */
async function checkUpload(db: Database | Trx, orderId: string): Promise<"not-issued" | "no-upload"> {
	return (await findRequest(db, orderId))?.storage_path ? "not-issued" : "no-upload";
}

/** Stores the file of an order's extract again when the storage has lost it. A purged extract stays deleted. */
export async function restoreLostExtract({ db, storage }: StorageContext, orderId: string, bytes: Uint8Array): Promise<boolean> {
	return db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		const extract = await findExtract(trx, orderId);
		if (order === null || extract === null || extract.purged_at !== null || extract.sha256 !== contentAddress(bytes).sha256) return false;
		const isStored = await storage.get(extract.storage_path).then(
			() => true,
			(error: unknown) => {
				if (error instanceof LostFile) return false;
				throw error;
			},
		);
		return !isStored && extract.storage_path === (await storage.put(bytes)).path;
	});
}
