import type { Context } from "../../../server/runtime.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { insertNote } from "./notes.store.server.ts";

/** In characters. */
export const maxNoteLength = 2000;

export type NoteRefusal = "unknown-order" | "erased" | "empty-note" | "too-long";

/** Adds an operator's note to an order. The customer never sees it on a page, and receives it when they ask for their data. */
export async function addNote(
	{ db, now }: Context,
	{ orderId, operator, text }: { orderId: string; operator: string; text: string },
): Promise<{ ok: true } | { ok: false; code: NoteRefusal }> {
	const trimmed = text.trim();
	if (trimmed === "") return { ok: false, code: "empty-note" };
	if (trimmed.length > maxNoteLength) return { ok: false, code: "too-long" };
	const order = await findOrder(db, orderId);
	if (order === null) return { ok: false, code: "unknown-order" };
	if (order.erased_at !== null) return { ok: false, code: "erased" };
	await insertNote(db, { orderId, operator, text: trimmed, now: now() });
	return { ok: true };
}
