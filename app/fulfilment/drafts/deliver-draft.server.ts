import type { Database } from "../../../server/database/database.ts";
import { isPosted } from "../../catalogue/services.ts";
import type { StorageContext } from "../../documents/storage.ts";
import { type Confirmations, type ExtractCheck, judgeExtract } from "../../extracts/check-extract.server.ts";
import type { Order } from "../../orders/order.ts";
import { findOrder } from "../../orders/orders.server.ts";
import { checkCorrectable } from "../check-correctable.server.ts";
import { findRequest } from "../extract-requests.store.server.ts";
import { checkReplaceable, type ReplaceOutcome, replaceExtract } from "../replace-extract.server.ts";
import {
	belongsToAnotherOrder,
	checkDeliverable,
	type UploadContext,
	type UploadOutcome,
	type UploadRefusal,
	uploadExtract,
} from "../upload-extract.server.ts";
import { type Draft, deleteDraft, findDraft, findDraftFile } from "./drafts.store.server.ts";
import { type DraftOutcome, insertDraft } from "./insert-draft.server.ts";

interface DraftOfOrder {
	orderId: string;
	draftId: string;
	/** Who dropped it; `by` is their name. */
	operator: { id: string; name: string };
	confirmed: Confirmations;
	/** When they asked for it. The extract’s age is judged at this moment, even if the delivery runs after midnight. */
	requestedAt: Date;
}

/** `no-draft`: it was delivered, discarded or replaced by another file meanwhile. */
type NoDraft = { ok: false; code: "no-draft" };

/** Why a draft would not be delivered now; null when nothing speaks against it. */
export async function checkDelivery(
	{ db }: StorageContext,
	draft: DraftOfOrder,
): Promise<Extract<UploadOutcome<UploadRefusal>, { ok: false }> | NoDraft | null> {
	const order = await findOrder(db, draft.orderId);
	if (order === null) return { ok: false, code: "unknown-order" };
	const refused = await checkDeliverable(db, order);
	if (refused !== null) return { ok: false, code: refused };
	const request = await findRequest(db, draft.orderId);
	if (request?.not_found_at) return { ok: false, code: "reported-not-found" };
	const dropped = await findOwnDraft(db, draft);
	if (dropped === null) return { ok: false, code: "no-draft" };
	if (request?.sha256 && request.sha256 !== dropped.sha256) return { ok: false, code: "other-extract" };
	if (await belongsToAnotherOrder(db, draft.orderId, dropped.sha256)) return { ok: false, code: "of-another-order" };
	return judgeDraft(order, dropped, draft);
}

/** Why a draft would not replace the extract of its order now; null when nothing speaks against it. */
export async function checkReplacement(
	{ db }: StorageContext,
	draft: DraftOfOrder,
): Promise<Extract<ReplaceOutcome, { ok: false }> | NoDraft | null> {
	const order = await findOrder(db, draft.orderId);
	if (order === null) return { ok: false, code: "unknown-order" };
	const dropped = await findOwnDraft(db, draft);
	// an order that takes no file any more says why, also when the draft went with it
	const refused = dropped === null ? await checkCorrectable(db, order) : await checkReplaceable(db, order, dropped.sha256);
	if (refused !== null) return { ok: false, code: refused };
	return dropped === null ? { ok: false, code: "no-draft" } : judgeDraft(order, dropped, draft);
}

function judgeDraft(
	{ product_code }: Order,
	{ facts }: Draft,
	{ requestedAt, confirmed }: DraftOfOrder,
): Extract<ExtractCheck, { ok: false }> | null {
	const checked = judgeExtract(facts, { now: requestedAt, confirmed, takesPictures: isPosted(product_code) });
	return checked.ok ? null : checked;
}

/** Delivers a draft: uploads it as the order's extract, with the checks made anew. Run again after a crash, it changes nothing. */
export async function deliverDraft(context: UploadContext, draft: DraftOfOrder): Promise<UploadOutcome<UploadRefusal> | NoDraft> {
	const { orderId, operator, confirmed, requestedAt } = draft;
	const bytes = await findFile(context, draft);
	if (bytes !== null) return uploadExtract(context, { orderId, bytes, confirmed, by: operator.name, requestedAt });
	const request = await findRequest(context.db, orderId);
	const isDelivered = request?.storage_path && request.served_by === operator.name;
	return isDelivered ? { ok: true, warnings: [] } : { ok: false, code: "no-draft" };
}

/** Replaces the delivered extract of an order by a draft. @param because the operator's reason, never shown to the customer. */
export async function replaceByDraft(
	context: UploadContext,
	{ because, ...draft }: DraftOfOrder & { because: string },
): Promise<ReplaceOutcome | NoDraft> {
	const bytes = await findFile(context, draft);
	if (bytes === null) return { ok: false, code: "no-draft" };
	const { orderId, operator, confirmed, requestedAt } = draft;
	return replaceExtract(context, { orderId, bytes, confirmed, by: operator.name, requestedAt, because });
}

/** Moves a draft to the order that it belongs to, with the checks made for that order. */
export async function moveDraft(
	context: UploadContext,
	{ draftId, operator, toOrderId }: { draftId: string; operator: string; toOrderId: string },
): Promise<DraftOutcome | NoDraft> {
	const draft = await findDraft(context.db, draftId);
	const bytes = await findDraftFile(context.db, draftId);
	if (draft === null || bytes === null || draft.operator !== operator) return { ok: false, code: "no-draft" };
	const moved = await insertDraft(context, { orderId: toOrderId, bytes, fileName: draft.file_name, operator });
	if (moved.ok) await deleteDraft(context.db, { id: draftId, operator });
	return moved;
}

async function findFile(
	{ db }: StorageContext,
	{ draftId, orderId, operator }: Omit<DraftOfOrder, "confirmed" | "requestedAt">,
): Promise<Uint8Array | null> {
	const draft = await findOwnDraft(db, { draftId, orderId, operator });
	return draft && findDraftFile(db, draftId);
}

async function findOwnDraft(
	db: Database,
	{ draftId, orderId, operator }: Pick<DraftOfOrder, "draftId" | "orderId" | "operator">,
): Promise<Draft | null> {
	const draft = await findDraft(db, draftId);
	return draft?.order_id === orderId && draft.operator === operator.id ? draft : null;
}
