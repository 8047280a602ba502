import type { Database, Trx } from "../../server/database/database.ts";
import type { Runtime } from "../../server/runtime.ts";
import { isPosted } from "../catalogue/services.ts";
import { contentAddress } from "../documents/content-address.server.ts";
import { findExtract, markReplaced } from "../documents/documents.server.ts";
import { insertDocument } from "../documents/insert-document.server.ts";
import { type DocumentStorage, LostFile } from "../documents/storage.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { queueOrderEmail } from "../order-emails/queue-order-email.server.ts";
import { lockOrder, recordEvent } from "../orders/orders.server.ts";
import { letterJustNoted, whyNotCorrected } from "./correct-order.server.ts";
import { findRequest, replaceUpload } from "./extract-requests.store.server.ts";
import { isAnotherOrders, refuse, takeExtract, type UploadedFile, type UploadOutcome } from "./upload-extract.server.ts";

type Deps = Pick<Runtime, "db" | "jobs" | "now" | "environment"> & { storage: DocumentStorage };

export type ReplaceOutcome =
	/**
	 * `restored`: it was this order's extract already, and its file was lost. `toDeliver`: what has not left yet leaves with it.
	 * `toPost`: the operator posts it, and then notes the number.
	 */
	{ ok: true; did: "replaced" | "restored" | "toDeliver" | "toPost"; warnings: string[] } | Extract<UploadOutcome, { ok: false }>;

const same = "Ce fichier est déjà l’extrait de cette commande : rien n’est changé.";
const purged = "C’est l’extrait de cette commande, mais sa durée de conservation est passée : il n’est pas remis en place.";

/**
 * Puts another extract in the place of the one that an order has, with the same checks. From then on pages, links and mails give the new
 * one; the old one's row and hash stay, and say when and why. By e-mail, the customer is written to at once; a letter is posted anew
 * (postExtract). The very file that the order has puts back one that the storage lost.
 * @param because the operator's reason, for the shop only.
 * @throws when the storage or the inspector of PDFs fails: nothing is changed.
 */
export async function replaceExtract(deps: Deps, handedIn: UploadedFile & { because: string }): Promise<ReplaceOutcome> {
	const { orderId, bytes, because } = handedIn;
	const known = await findExtract(deps.db, orderId);
	if (known?.sha256 === contentAddress(bytes).sha256) return putBack(deps, orderId, bytes);
	let did: "replaced" | "toDeliver" | "toPost" = "replaced";
	const outcome = await takeExtract(deps, handedIn, {
		refuses: async (db, order) =>
			(await whyNotCorrected(db, order)) ?? ((await findExtract(db, order.id)) === null ? await whyNoExtract(db, order.id) : null),
		async keep(trx, _, extract) {
			// the rule: it is looked at as it is now, and nobody else changes it
			const order = await lockOrder(trx, orderId);
			const old = await findExtract(trx, orderId);
			const refused = order === null ? "Cette commande n’existe pas." : await whyNotCorrected(trx, order);
			if (order === null || old === null || refused !== null) return refused;
			if (old.sha256 === extract.sha256) return same;
			if (order.status !== "completed" && (await findRequest(trx, orderId))?.tracking_number) return letterJustNoted;
			const elsewhere = await isAnotherOrders(trx, orderId, extract.sha256);
			if (elsewhere !== null) return elsewhere;
			const now = deps.now();
			await markReplaced(trx, old.id, { because, now });
			const stored = { path: extract.path, sha256: extract.sha256, bytes: extract.bytes };
			const document = await insertDocument(trx, { orderId, type: "kbis", issuedAt: extract.issuedAt, stored, now });
			await replaceUpload(trx, orderId, extract, now);
			const delivered = order.status === "completed";
			if (!delivered) did = "toDeliver";
			else if (isPosted(order.product_code)) did = "toPost";
			await recordEvent(
				trx,
				orderId,
				"extract_replaced",
				{ document_id: document.id, replaces: old.id, ...(did === "toPost" && { post: true }) },
				now,
			);
			if (did !== "replaced") return null;
			await queueOrderEmail(deps, trx, orderId, "extract-replaced", { documentId: document.id });
			if (order.delivery_email !== null && normalizeEmail(order.delivery_email) !== normalizeEmail(order.customer_email))
				await queueOrderEmail(deps, trx, orderId, "extract-replaced-delivery", { documentId: document.id });
			return null;
		},
	});
	return outcome.ok ? { ...outcome, did } : outcome;
}

/** What was handed in becomes the order's extract by a job: until then there is nothing to replace, and upload takes no other file. */
async function whyNoExtract(db: Database | Trx, orderId: string): Promise<string> {
	return (await findRequest(db, orderId))?.storage_path
		? "L’extrait déposé n’est pas encore émis : réessayez dans une minute (des tâches doivent tourner)."
		: "Cette commande n’a pas encore d’extrait : déposez-le avec upload.";
}

/** The file that an order has, for a storage that lost it. What is no longer kept stays gone. */
async function putBack({ db, storage }: Deps, orderId: string, bytes: Uint8Array): Promise<ReplaceOutcome> {
	return db.transaction().execute(async (trx): Promise<ReplaceOutcome> => {
		const order = await lockOrder(trx, orderId);
		const extract = await findExtract(trx, orderId);
		if (order === null || extract === null) return refuse(same);
		if (extract.purged_at !== null) return refuse(purged);
		const isThere = await storage.get(extract.storage_path).then(
			() => true,
			(error: unknown) => {
				if (error instanceof LostFile) return false;
				throw error;
			},
		);
		if (isThere || extract.storage_path !== (await storage.put(bytes)).path) return refuse(same);
		return { ok: true, did: "restored", warnings: [] };
	});
}
