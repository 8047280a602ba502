import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { isPosted } from "../catalogue/services.ts";
import { queueOrderEmail } from "../emails/queue-order-email.server.ts";
import { findExtract } from "../orders/documents/documents.store.server.ts";
import type { Order } from "../orders/order.ts";
import { listEvents, lockOrder, type OrderEvent, recordEvent, updateTrackingNumber } from "../orders/orders.store.server.ts";
import { checkCorrectable, type NotCorrectable } from "./check-correctable.server.ts";
import { checkServable, type NotServable } from "./check-servable.ts";
import { findRequest, lockRequest, recordPosting, replacePosting } from "./extract-requests.store.server.ts";

type PostOutcome = { ok: true } | { ok: false; code: PostRefusal };

/** `previous-tracking-number`: the number of the letter whose extract was replaced. */
export type PostRefusal =
	| NotServable
	| NotCorrectable
	| "invalid-tracking-number"
	| "unknown-order"
	| "not-postal"
	| "no-extract"
	| "other-tracking-number"
	| "previous-tracking-number";

/**
 * Records the tracking number of a letter that the operator posted, and completes the order.
 * The same number again changes nothing. Another one is refused, unless the extract has been replaced: it is then a new letter's number.
 * @param trackingNumber as typed, blanks included.
 */
export async function postExtract(
	context: Context,
	{ orderId, trackingNumber }: { orderId: string; trackingNumber: string },
): Promise<PostOutcome> {
	const { db, jobs, now } = context;
	const number = parseTrackingNumber(trackingNumber);
	if (number === null) return refuse("invalid-tracking-number");
	return db.transaction().execute(async (trx): Promise<PostOutcome> => {
		const order = await lockOrder(trx, orderId);
		if (order === null) return refuse("unknown-order");
		if (!isPosted(order.product_code)) return refuse("not-postal");
		if (order.status === "completed" && isRepostDue(await listEvents(trx, orderId))) return repostExtract(context, trx, order, number);
		if ((await findRequest(trx, orderId))?.tracking_number === number) return { ok: true };
		const refused = checkServable(order);
		if (refused !== null) return refuse(refused);
		const request = await lockRequest(trx, orderId, now());
		// the rule; net: fulfilOrder completes no order without an extract
		if (request.storage_path === null) return refuse("no-extract");
		// the rule; net: recordPosting
		if (request.tracking_number !== null) return refuse("other-tracking-number");
		await recordPosting(trx, orderId, number, now());
		await jobs.send(trx, "fulfil-order", { orderId, because: "posted" });
		return { ok: true };
	});
}

/** Whether a letter's extract was replaced and the new one is not posted yet. @param events of one order, oldest first. */
export function isRepostDue(events: readonly Pick<OrderEvent, "event_type" | "payload">[]): boolean {
	const last = events.findLast(
		({ event_type, payload }) => event_type === "posted" || (event_type === "extract_replaced" && payload.post === true),
	);
	return last?.event_type === "extract_replaced";
}

/** Records the letter of a replaced extract. The order stays completed, and its customer receives an e-mail. */
async function repostExtract(context: Context, trx: Trx, order: Order, number: string): Promise<PostOutcome> {
	const refused = await checkCorrectable(trx, order);
	if (refused !== null) return refuse(refused);
	if (order.tracking_number === number) return refuse("previous-tracking-number");
	await updateTrackingNumber(trx, order.id, number);
	await replacePosting(trx, order.id, number, context.now());
	await recordEvent(trx, { orderId: order.id, type: "posted", payload: { tracking_number: number, again: true }, now: context.now() });
	await queueOrderEmail(context, trx, {
		orderId: order.id,
		kind: "extract-replaced",
		documentId: (await findExtract(trx, order.id))?.id ?? null,
	});
	return { ok: true };
}

/**
 * Accepts 11 to 15 letters and digits, at least 8 of them digits, with any spacing; null otherwise. La Poste's numbers have 11 characters
 * for a tracked letter, 13 for a parcel or abroad, 15 for a registered letter.
 */
export function parseTrackingNumber(typed: string): string | null {
	const number = typed.replace(/[\s.\u00a0\u202f-]/g, "").toUpperCase();
	return /^[A-Z0-9]{11,15}$/.test(number) && number.replace(/\D/g, "").length >= 8 ? number : null;
}

const refuse = (code: PostRefusal) => ({ ok: false as const, code });
