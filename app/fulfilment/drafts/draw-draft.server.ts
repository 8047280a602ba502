import { createRequire } from "node:module";
import type { Context } from "../../../server/runtime.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import type { DrawnPage } from "../extracts/find-marks.ts";
import { listReadable, runConfined } from "../extracts/inspect-pdf.server.ts";
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

/** In milliseconds of processor time. */
const maxCpuMs = 5000;

/**
 * Draws a page of a PDF in a separate process, with the SIREN and the date of issue marked. Nothing in the file is executed.
 * @param page from 1. @returns null when the file has active content or no such page, or takes too much time or memory.
 * @throws when the program itself does not work.
 */
export async function drawPage(bytes: Uint8Array, { page, siren }: { page: number; siren: string }): Promise<DrawnPage | null> {
	const program = createRequire(import.meta.url).resolve("#app/fulfilment/extracts/page-drawer.server.ts");
	const readable = listReadable("@hyzyla/pdfium");
	const output = await runConfined(program, { readable, input: bytes, maxCpuMs, args: [String(page), siren] });
	return output === null ? null : JSON.parse(output);
}
