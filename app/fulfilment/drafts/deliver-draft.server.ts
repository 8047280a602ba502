import type { Database } from "../../../server/database/database.ts";
import type { StorageContext } from "../../orders/documents/storage.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { findRequest } from "../extract-requests.store.server.ts";
import type { Confirmations } from "../extracts/judge-extract.ts";
import { checkReplaceable, type ReplaceOutcome, replaceExtract } from "../replace-extract.server.ts";
import {
	type Acceptance,
	firstExtract,
	judgeFor,
	type UploadContext,
	type UploadedFile,
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
export const checkDelivery = async (context: StorageContext, draft: DraftOfOrder) =>
	(await isDelivered(context, draft)) ? null : checkDraft(context, draft, firstExtract(context).check);

/** Why a draft would not replace the extract of its order now; null when nothing speaks against it. */
export const checkReplacement = (context: StorageContext, draft: DraftOfOrder) => checkDraft(context, draft, checkReplaceable);

async function checkDraft<Refusal extends string>(
	{ db }: StorageContext,
	draft: DraftOfOrder,
	check: Acceptance<Refusal>["check"],
): Promise<Extract<UploadOutcome<Refusal | "unknown-order">, { ok: false }> | NoDraft | null> {
	const order = await findOrder(db, draft.orderId);
	if (order === null) return { ok: false, code: "unknown-order" };
	const dropped = await findOwnDraft(db, draft);
	// an order that takes no file any more says why, also when the draft went with it
	const refused = await check(db, order, dropped?.sha256 ?? "");
	if (refused !== null) return { ok: false, code: refused };
	if (dropped === null) return { ok: false, code: "no-draft" };
	const judged = judgeFor(order, dropped.facts, draft);
	return judged.ok ? null : judged;
}

/** Delivers a draft as the order's extract, with the checks made anew. Run again after a crash, it changes nothing. */
export async function deliverDraft(context: UploadContext, draft: DraftOfOrder): Promise<UploadOutcome<UploadRefusal> | NoDraft> {
	const uploaded = await readDraft(context, draft);
	if (uploaded !== null) return uploadExtract(context, uploaded);
	return (await isDelivered(context, draft)) ? { ok: true, warnings: [] } : { ok: false, code: "no-draft" };
}

/** Whether the operator's file became the order's extract after they asked for it: by a run that could not record its end. */
async function isDelivered({ db }: StorageContext, { orderId, draftId, operator, requestedAt }: DraftOfOrder): Promise<boolean> {
	if ((await findDraft(db, draftId)) !== null) return false;
	const request = await findRequest(db, orderId);
	return request?.storage_path != null && request.served_by === operator.name && (request.uploaded_at ?? requestedAt) >= requestedAt;
}

/** Replaces the delivered extract of an order by a draft. @param because the operator's reason, never shown to the customer. */
export async function replaceByDraft(
	context: UploadContext,
	{ because, ...draft }: DraftOfOrder & { because: string },
): Promise<ReplaceOutcome | NoDraft> {
	const uploaded = await readDraft(context, draft);
	return uploaded === null ? { ok: false, code: "no-draft" } : replaceExtract(context, { ...uploaded, because });
}

/** Moves a draft to the order that it belongs to, with the checks made for that order. */
export async function moveDraft(
	context: UploadContext,
	{ draftId, operator, toOrderId }: { draftId: string; operator: string; toOrderId: string },
): Promise<DraftOutcome | NoDraft> {
	const draft = await findDraft(context.db, draftId);
	const bytes = await findDraftFile(context.db, draftId);
	if (draft === null || bytes === null || draft.operator !== operator) return { ok: false, code: "no-draft" };
	const moved = await insertDraft(context, { orderId: toOrderId, bytes, facts: draft.facts, fileName: draft.file_name, operator });
	if (moved.ok) await deleteDraft(context.db, { id: draftId, operator });
	return moved;
}

async function readDraft({ db }: StorageContext, draft: DraftOfOrder): Promise<UploadedFile | null> {
	const { orderId, draftId, operator, confirmed, requestedAt } = draft;
	const dropped = await findOwnDraft(db, draft);
	const bytes = dropped && (await findDraftFile(db, draftId));
	return bytes && { orderId, bytes, facts: dropped.facts, confirmed, by: operator.name, requestedAt };
}

async function findOwnDraft(
	db: Database,
	{ draftId, orderId, operator }: Pick<DraftOfOrder, "draftId" | "orderId" | "operator">,
): Promise<Draft | null> {
	const draft = await findDraft(db, draftId);
	return draft?.order_id === orderId && draft.operator === operator.id ? draft : null;
}
