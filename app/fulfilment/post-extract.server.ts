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
import { checkTrackingNumber, findTrackingNumber } from "./tracking-number.ts";

type PostOutcome = { ok: true } | { ok: false; code: PostRefusal };

/** `unknown-tracking-number`: its form is not known, and nobody confirmed it. `no-tracking-number`: it is another number. */
export type TrackingRefusal = "invalid-tracking-number" | "wrong-tracking-key" | "no-tracking-number" | "unknown-tracking-number";

/** `previous-tracking-number`: the number of the letter whose extract was replaced. */
export type PostRefusal =
	| NotServable
	| NotCorrectable
	| TrackingRefusal
	| "unknown-order"
	| "not-postal"
	| "no-extract"
	| "other-tracking-number"
	| "previous-tracking-number";

/**
 * Records the tracking number of a letter that the operator posted, and completes the order.
 * The same number again changes nothing. Another one is refused, unless the extract has been replaced: it is then a new letter's number.
 * @param trackingNumber as typed. @param confirmed that it is the number on the letter, although its form is not known.
 */
export async function postExtract(
	context: Context,
	{ orderId, trackingNumber, confirmed = false }: { orderId: string; trackingNumber: string; confirmed?: boolean },
): Promise<PostOutcome> {
	const { db, jobs, now } = context;
	const read = readTrackingNumber(trackingNumber, confirmed);
	if (!read.ok) return read;
	const { number } = read;
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
 * Reads the tracking number that an operator typed. @param confirmed that it is the number on the letter, although its form is not known.
 * @returns why it is refused, or the number.
 */
export function readTrackingNumber(typed: string, confirmed: boolean): { ok: true; number: string } | { ok: false; code: TrackingRefusal } {
	const number = findTrackingNumber(typed);
	if (number === null) return { ok: false, code: "invalid-tracking-number" };
	const check = checkTrackingNumber(number);
	if (check === "wrong-key") return { ok: false, code: "wrong-tracking-key" };
	if (check === "other-number") return { ok: false, code: "no-tracking-number" };
	return check === "unknown" && !confirmed ? { ok: false, code: "unknown-tracking-number" } : { ok: true, number };
}

const refuse = (code: PostRefusal) => ({ ok: false as const, code });
