import type { Context } from "../../../server/runtime.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { drawPage } from "../extracts/draw-page.server.ts";
import { findDraft, findDraftFile } from "./drafts.store.server.ts";
import { isDrawable } from "./insert-draft.server.ts";

/**
 * Draws a page of a draft as PNG, with its order's SIREN and the date of issue marked (docs/decisions/0030-drafts-and-previews.md).
 * @param page from 1. @returns null when there is no such page, or it cannot be drawn within the limits.
 */
export async function drawDraft(
	{ db }: Pick<Context, "db">,
	{ draftId, page }: { draftId: string; page: number },
): Promise<Uint8Array | null> {
	const draft = await findDraft(db, draftId);
	if (draft === null || !isDrawable(draft.facts) || !Number.isInteger(page) || page < 1 || page > draft.facts.pages) return null;
	const [file, order] = [await findDraftFile(db, draftId), await findOrder(db, draft.order_id)];
	if (file === null || order === null) return null;
	const drawn = await drawPage(file, { page, siren: order.siren });
	return drawn && Buffer.from(drawn.png, "base64");
}
