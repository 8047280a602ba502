import type { Database, Trx } from "../../server/database/database.ts";
import { isPosted } from "../catalogue/services.ts";
import { contentAddress } from "../orders/documents/content-address.server.ts";
import { findExtractByHash, listNeededPaths } from "../orders/documents/documents.store.server.ts";
import type { StorageContext } from "../orders/documents/storage.ts";
import type { Order } from "../orders/order.ts";
import { findOrder, lockOrder } from "../orders/orders.store.server.ts";
import { checkCorrectable } from "./check-correctable.server.ts";
import { checkServable, type NotServable } from "./check-servable.ts";
import { endClaim } from "./claims/claim-order.server.ts";
import { deleteDrafts } from "./drafts/drafts.store.server.ts";
import {
	findRequest,
	findUploadByHash,
	lockHash,
	lockRequest,
	recordUpload,
	type UploadedExtract,
} from "./extract-requests.store.server.ts";
import { examineExtract } from "./extracts/examine-extract.server.ts";
import type { InspectorContext } from "./extracts/inspect-pdf.server.ts";
import { type Confirmations, type ExtractCheck, type ExtractFacts, type ExtractWarning, judgeExtract } from "./extracts/judge-extract.ts";
import { insertNote } from "./notes/notes.store.server.ts";

/** The extract is accepted, or its file fails the checks, or the order refuses it. */
export type UploadOutcome<Refusal extends string> =
	| { ok: true; warnings: ExtractWarning[] }
	| Extract<ExtractCheck, { ok: false }>
	| { ok: false; code: Refusal };

/** `of-another-order`: the file is another order's extract. */
export type UploadRefusal = NotServable | "refunded" | "unknown-order" | "reported-not-found" | "other-extract" | "of-another-order";

/** A file that the operator gives as the extract of an order. `confirmed`: the checks that they confirm themselves. */
export interface UploadedFile {
	orderId: string;
	bytes: Uint8Array;
	/** What it says, when it was examined before. */
	facts?: ExtractFacts;
	confirmed?: Confirmations;
	/** The operator's name, for the history. */
	by?: string;
	/** The moment at which the extract’s age is judged; now by default. */
	requestedAt?: Date;
}

/** Checks and stores extracts. */
export type UploadContext = StorageContext & InspectorContext;

/** What an order does with a file: takes it as its first extract, or in place of the one that it has. */
export interface Acceptance<Refusal extends string> {
	/** Why the order does not take the file; null when nothing speaks against it. It decides under the locks of order and hash. */
	check(db: Database | Trx, order: Order, sha256: string): Promise<Refusal | null>;
	/** Records the file while its hash and its order are locked. */
	record(trx: Trx, order: Order, extract: UploadedExtract): Promise<void>;
}

/** The first extract of an order: the order goes on with it. */
export const firstExtract = ({ jobs, now }: Pick<StorageContext, "jobs" | "now">): Acceptance<UploadRefusal> => ({
	async check(db, order, sha256) {
		const refused = await checkDeliverable(db, order);
		if (refused !== null) return refused;
		const request = await findRequest(db, order.id);
		// the rule; net: if both are recorded, the issuer returns the extract
		if (request?.not_found_at) return "reported-not-found";
		// the rule; net: recordUpload
		if (request?.sha256 && request.sha256 !== sha256) return "other-extract";
		return (await belongsToAnotherOrder(db, order.id, sha256)) ? "of-another-order" : null;
	},
	async record(trx, { id: orderId }, extract) {
		await lockRequest(trx, orderId, now());
		await recordUpload(trx, orderId, extract, now());
		await deleteDrafts(trx, [orderId]);
		await endClaim(trx, orderId);
		await jobs.send(trx, "fulfil-order", { orderId, because: "uploaded" });
	},
});

/**
 * Accepts the operator's extract for an order: checks it, stores it byte for byte, and sends the order's job.
 * The same file again changes nothing; another one is refused.
 * @throws when the storage or the PDF inspector fails; nothing is recorded then.
 */
export const uploadExtract = (context: UploadContext, uploaded: UploadedFile): Promise<UploadOutcome<UploadRefusal>> =>
	acceptExtract(context, uploaded, firstExtract(context));

/** Why an order accepts no extract: it is not in progress, or refunded in full for another reason than its delay. */
export async function checkDeliverable(db: Database | Trx, order: Order): Promise<NotServable | "refunded" | null> {
	return checkServable(order) ?? ((await checkCorrectable(db, order)) === "refunded" ? "refunded" : null);
}

/** Judges a file for an order. */
export const judgeFor = (order: Order, facts: ExtractFacts, { confirmed, requestedAt }: { confirmed: Confirmations; requestedAt: Date }) =>
	judgeExtract(facts, { siren: order.siren, now: requestedAt, confirmed, takesPictures: isPosted(order.product_code) });

/** Judges a file, stores it, and records it in a transaction. A file that is not accepted in the end is deleted. */
export async function acceptExtract<Refusal extends string>(
	context: UploadContext,
	{ orderId, bytes, facts, confirmed = {}, by, requestedAt = context.now() }: UploadedFile,
	{ check, record }: Acceptance<Refusal>,
): Promise<UploadOutcome<Refusal | "unknown-order">> {
	const { db, storage } = context;
	const order = await findOrder(db, orderId);
	if (order === null) return { ok: false, code: "unknown-order" };
	const refused = await check(db, order, contentAddress(bytes).sha256);
	if (refused !== null) return { ok: false, code: refused };
	const known = facts ?? (await examineExtract(context, bytes));
	const judged = judgeFor(order, known, { confirmed, requestedAt });
	if (!judged.ok) return judged;

	const stored = await storage.put(bytes);
	return db.transaction().execute(async (trx): Promise<UploadOutcome<Refusal | "unknown-order">> => {
		await lockHash(trx, stored.sha256);
		// the rule: the order may have ended since, or be about another company
		const present = await lockOrder(trx, orderId);
		const refuse = async (outcome: Extract<UploadOutcome<Refusal | "unknown-order">, { ok: false }>) => {
			const needed = (await findUploadByHash(trx, stored.sha256))?.storage_path ?? (await listNeededPaths(trx, [stored.path], [])).at(0);
			if (!needed) await storage.remove(stored.path);
			return outcome;
		};
		if (present === null) return refuse({ ok: false, code: "unknown-order" });
		const refused = await check(trx, present, stored.sha256);
		if (refused !== null) return refuse({ ok: false, code: refused });
		const again = judgeFor(present, known, { confirmed, requestedAt });
		if (!again.ok) return refuse(again);
		await record(trx, present, { ...stored, issuedAt: again.issuedAt, by, confirmed: again.confirmed });
		if (again.confirmed.includes("company")) {
			const text = `Doute sur l’entreprise de l’extrait, confirmé\u00a0: ${confirmed.company}`;
			await insertNote(trx, { orderId, operator: by ?? "?", text, now: context.now() });
		}
		return { ok: true, warnings: again.warnings };
	});
}

/** Whether a file is another order's extract. The rule; net: extract_requests.sha256 is unique. */
export async function belongsToAnotherOrder(db: Database | Trx, orderId: string, sha256: string): Promise<boolean> {
	const uses = [await findUploadByHash(db, sha256), await findExtractByHash(db, sha256)];
	return uses.some((use) => use !== null && use.order_id !== orderId);
}
