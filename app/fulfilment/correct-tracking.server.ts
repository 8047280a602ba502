import type { Context } from "../../server/runtime.ts";
import { isPosted } from "../catalogue/services.ts";
import { queueOrderEmail } from "../emails/queue-order-email.server.ts";
import { deleteMailsOfKind } from "../mail/mails.store.server.ts";
import { lockOrder, recordEvent, updateTrackingNumber } from "../orders/orders.store.server.ts";
import { checkCorrectable, type NotCorrectable } from "./check-correctable.server.ts";
import { findRequest, replacePosting } from "./extract-requests.store.server.ts";
import { readTrackingNumber, type TrackingRefusal } from "./post-extract.server.ts";

/** `just-posted`: the letter is posted, and the job has not completed the order yet. */
export type CorrectTrackingRefusal =
	| NotCorrectable
	| TrackingRefusal
	| "unknown-order"
	| "not-postal"
	| "just-posted"
	| "not-posted"
	| "same-tracking-number";

/**
 * Replaces a mistyped tracking number. The customer receives an e-mail, and the history keeps both numbers.
 * @param trackingNumber as typed. `confirmed`: it is the number on the letter, although its form is not known. `because` and `by`, the operator's reason and name, stay in the shop's history.
 * @returns both numbers.
 */
export async function correctTracking(
	context: Context,
	{
		orderId,
		trackingNumber,
		confirmed = false,
		because,
		by,
	}: { orderId: string; trackingNumber: string; confirmed?: boolean; because: string; by: string },
): Promise<{ ok: true; number: string; replaces: string } | { ok: false; code: CorrectTrackingRefusal }> {
	const read = readTrackingNumber(trackingNumber, confirmed);
	if (!read.ok) return read;
	const { number } = read;
	return context.db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		if (order === null) return refuse("unknown-order");
		if (!isPosted(order.product_code)) return refuse("not-postal");
		const refused = await checkCorrectable(trx, order);
		if (refused !== null) return refuse(refused);
		if (order.tracking_number === null) return refuse((await findRequest(trx, orderId))?.tracking_number ? "just-posted" : "not-posted");
		if (order.tracking_number === number) return refuse("same-tracking-number");
		await updateTrackingNumber(trx, orderId, number);
		await replacePosting(trx, orderId, number);
		await recordEvent(trx, {
			orderId,
			type: "tracking_corrected",
			payload: { tracking_number: number, replaces: order.tracking_number, because, by },
			now: context.now(),
		});
		// a second correction sends a second e-mail
		await deleteMailsOfKind(trx, orderId, "tracking-corrected");
		await queueOrderEmail(context, trx, { orderId, kind: "tracking-corrected" });
		return { ok: true, number, replaces: order.tracking_number };
	});
}

const refuse = (code: CorrectTrackingRefusal) => ({ ok: false as const, code });
