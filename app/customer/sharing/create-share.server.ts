import { randomUUID } from "node:crypto";
import type { Database, Trx } from "../../../server/database/database.ts";
import { daySeconds } from "../../../server/durations.ts";
import type { Context } from "../../../server/runtime.ts";
import { computeRetentionEnd, retention } from "../../catalogue/retention.ts";
import { isPosted } from "../../catalogue/services.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import { findExtract, type StoredDocument } from "../../orders/documents/documents.store.server.ts";
import type { Order } from "../../orders/order.ts";
import { lockOrder } from "../../orders/orders.store.server.ts";
import { isLine } from "../../ui/forms/text.ts";
import { hashPasscode, normalizePasscode } from "./passcode.server.ts";
import { codeLength, getShareState, hasNoAddress, maxLabelLength, maxShares, shareDays } from "./share-rules.ts";
import { insertShare, listShares } from "./shares.store.server.ts";

/** What the customer typed: text fields of one line. */
export interface TypedShare {
	/** For the customer alone. */
	label: string;
	/** Who sends the link, and what for: its reader sees both. */
	sender: string;
	purpose: string;
	days: string;
	code: string;
}

/** `invalid`: the fields that are wrong. `missing`: the order has no extract to show. `full`: as many active links as allowed. `busy`: too many passcodes wait. */
export type ShareOutcome =
	| { ok: true; id: string }
	| { ok: false; code: "invalid"; fields: (keyof TypedShare)[] }
	| { ok: false; code: "no-access" }
	| { ok: false; code: "missing" | "full" | "busy" }
	| { ok: false; code: "limited"; retryAfter: number };

/** Links that an order may make in a day, because revoked ones are stored for a while. */
const sharesPerDay = 60;
/**
 * Makes a link to the extract of an order (docs/rules.md, R160).
 * @param order as its customer was given access to it: the link is not made when its address was corrected meanwhile.
 */
export async function createShare(context: Context, order: Order, access: AccessKey, typed: TypedShare): Promise<ShareOutcome> {
	const { db, now, log } = context;
	if (!mayAsk(access, "share")) return { ok: false, code: "no-access" };
	const fields = listWrongFields(typed);
	if (fields.length > 0) return { ok: false, code: "invalid", fields };
	const taken = await context.limits("share-order", sharesPerDay, daySeconds).take(order.id);
	if (!taken.ok) return { ...taken, code: "limited" };
	const days = Number(typed.days);
	const codeHash = typed.code === "" ? null : await hashPasscode(context.environment.passwordHashing, normalizePasscode(typed.code));
	if (typed.code !== "" && codeHash === null) return { ok: false, code: "busy" };
	return db.transaction().execute(async (trx): Promise<ShareOutcome> => {
		const locked = await lockOrder(trx, order.id);
		if (locked?.customer_email !== order.customer_email) return { ok: false, code: "missing" };
		const extract = await findShareableExtract(trx, locked);
		if (extract === null) return { ok: false, code: "missing" };
		const active = (await listShares(trx, order.id)).filter((share) => getShareState(share, now()) === "active");
		if (active.length >= maxShares) return { ok: false, code: "full" };
		const id = randomUUID();
		const asked = now().getTime() + days * daySeconds * 1000;
		const lastDay = getDeletion(locked, extract);
		const expiresAt = new Date(lastDay > now() ? Math.min(lastDay.getTime(), asked) : asked);
		const [label, sender, purpose] = [typed.label || null, typed.sender || null, typed.purpose || null];
		await insertShare(trx, { id, documentId: extract.id, label, sender, purpose, codeHash, now: now(), expiresAt });
		log.info({ order: order.id, share: id, days, withCode: codeHash !== null }, "a document is shared");
		return { ok: true, id };
	});
}

/** The wrong fields of the form, in their order. */
function listWrongFields({ label, sender, purpose, days, code }: TypedShare): (keyof TypedShare)[] {
	const areDaysRight = /^\d{1,3}$/.test(days) && Number(days) >= shareDays.min && Number(days) <= shareDays.max;
	const isCodeRight = code === "" || (isLine(code) && code.length <= codeLength.max && normalizePasscode(code).length >= codeLength.min);
	const isShort = (text: string) => isLine(text) && text.length <= maxLabelLength;
	return [
		...(isShort(sender) && hasNoAddress(sender) ? [] : ["sender" as const]),
		...(isShort(purpose) && hasNoAddress(purpose) ? [] : ["purpose" as const]),
		...(isShort(label) ? [] : ["label" as const]),
		...(areDaysRight ? [] : ["days" as const]),
		...(isCodeRight ? [] : ["code" as const]),
	];
}

/** The extract of an order that a link may show now; null without one. */
export async function findShareableExtract(db: Database | Trx, order: Order): Promise<StoredDocument | null> {
	if (order.disputed_at !== null || order.erased_at !== null || isPosted(order.product_code)) return null;
	const extract = await findExtract(db, order.id);
	return extract?.purged_at === null ? extract : null;
}

/** When an extract was delivered: with its order, or later in place of another. */
export const getDelivery = ({ completed_at }: Pick<Order, "completed_at">, { created_at }: Pick<StoredDocument, "created_at">): Date =>
	new Date(Math.max(completed_at?.getTime() ?? 0, created_at.getTime()));

/** When the file of an extract is deleted at the earliest: no link can work for longer. */
export const getDeletion = (...delivered: Parameters<typeof getDelivery>): Date =>
	computeRetentionEnd(getDelivery(...delivered), retention.deliveredExtracts);
