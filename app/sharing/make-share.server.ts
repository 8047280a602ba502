import { randomUUID } from "node:crypto";
import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { computeRetentionEnd, retention } from "../catalogue/retention.ts";
import { isPosted } from "../catalogue/services.ts";
import { findExtract, type StoredDocument } from "../documents/documents.server.ts";
import { isLine } from "../forms/text.ts";
import type { Order } from "../orders/order.ts";
import { lockOrder } from "../orders/orders.server.ts";
import { hashCodeWord, normalizeCodeWord } from "./code-word.server.ts";
import { codeLength, getShareState, maxLabelLength, maxShares, shareDays } from "./share-rules.ts";
import { insertShare, listShares } from "./shares.store.server.ts";

/** What the customer typed: text fields of one line. */
export interface TypedShare {
	label: string;
	days: string;
	code: string;
}

/** `missing`: the order has no extract to show. `full`: as many living links as allowed. */
export type ShareOutcome =
	| { ok: true; id: string }
	| { ok: false; code: "label" | "days" | "code" | "missing" | "full" }
	| { ok: false; code: "limited"; retryAfter: number };

/** Links that an order may make in a day, because revoked ones are stored for a while. */
const sharesPerDay = 60;
const daySeconds = 86_400;

/**
 * Makes a link to the extract of an order (docs/rules.md, R160).
 * @param order as its customer was given access to it: the link is not made when its address was corrected meanwhile.
 */
export async function makeShare(context: Context, order: Order, typed: TypedShare): Promise<ShareOutcome> {
	const { db, now, log } = context;
	const codeWord = normalizeCodeWord(typed.code);
	const days = /^\d{1,3}$/.test(typed.days) ? Number(typed.days) : 0;
	if (!isLine(typed.label) || typed.label.length > maxLabelLength) return { ok: false, code: "label" };
	if (days < shareDays.min || days > shareDays.max) return { ok: false, code: "days" };
	const isCodeWrong = codeWord.length < codeLength.min || typed.code.length > codeLength.max || !isLine(typed.code);
	if (typed.code !== "" && isCodeWrong) return { ok: false, code: "code" };
	const taken = await context.limits("share-order", sharesPerDay, daySeconds).take(order.id);
	if (!taken.ok) return { ...taken, code: "limited" };
	const codeHash = typed.code === "" ? null : await hashCodeWord(codeWord);
	return db.transaction().execute(async (trx): Promise<ShareOutcome> => {
		const locked = await lockOrder(trx, order.id);
		const extract = locked?.customer_email === order.customer_email ? await findShareableExtract(trx, locked) : null;
		if (locked === null || extract === null) return { ok: false, code: "missing" };
		const living = (await listShares(trx, order.id)).filter((share) => getShareState(share, now()) === "living");
		if (living.length >= maxShares) return { ok: false, code: "full" };
		const id = randomUUID();
		const asked = new Date(now().getTime() + days * daySeconds * 1000);
		const lastDay = getDeletion(locked, extract);
		const expiresAt = lastDay > now() && lastDay < asked ? lastDay : asked;
		await insertShare(trx, { id, documentId: extract.id, label: typed.label || null, codeHash, now: now(), expiresAt });
		log.info({ order: order.id, share: id, days, withCode: codeHash !== null }, "a document is shared");
		return { ok: true, id };
	});
}

/** The extract of an order that a link may show now; null without one. */
export async function findShareableExtract(trx: Parameters<typeof findExtract>[0] | Trx, order: Order): Promise<StoredDocument | null> {
	if (order.disputed_at !== null || order.erased_at !== null || isPosted(order.product_code)) return null;
	const extract = await findExtract(trx, order.id);
	return extract?.purged_at === null ? extract : null;
}

/** When the file of an extract is deleted at the earliest: no link can work for longer. */
export const getDeletion = ({ completed_at }: Pick<Order, "completed_at">, { created_at }: Pick<StoredDocument, "created_at">): Date =>
	computeRetentionEnd(completed_at !== null && completed_at > created_at ? completed_at : created_at, retention.deliveredExtracts);
