import type { Runtime } from "../../server/runtime.ts";
import { isPosted } from "../catalogue/services.ts";
import { deleteMailsOfKind } from "../mail/mails.server.ts";
import { queueOrderEmail } from "../order-emails/queue-order-email.server.ts";
import { lockOrder, recordEvent, updateTrackingNumber } from "../orders/orders.server.ts";
import { letterJustNoted, whyNotCorrected } from "./correct-order.server.ts";
import { findRequest, replacePosting } from "./extract-requests.store.server.ts";
import { notANumber, parseTrackingNumber } from "./post-extract.server.ts";

/**
 * Puts another tracking number in the place of a mistyped one: the customer is written to, and the history keeps both.
 * @param trackingNumber as typed, blanks included.
 */
export async function correctTracking(
	deps: Pick<Runtime, "db" | "jobs" | "now">,
	{ orderId, trackingNumber }: { orderId: string; trackingNumber: string },
): Promise<{ ok: true } | { ok: false; reason: string }> {
	const number = parseTrackingNumber(trackingNumber);
	if (number === null) return refuse(notANumber);
	return deps.db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		if (order === null) return refuse("Cette commande n’existe pas.");
		if (!isPosted(order.product_code)) return refuse("Cette commande n’est pas à envoyer par courrier.");
		const refused = await whyNotCorrected(trx, order);
		if (refused !== null) return refuse(refused);
		if (order.tracking_number === null)
			return refuse(
				(await findRequest(trx, orderId))?.tracking_number
					? letterJustNoted
					: "Le courrier de cette commande n’est pas encore posté : notez son numéro avec post.",
			);
		if (order.tracking_number === number) return refuse("C’est déjà le numéro de suivi de cette commande : rien n’est changé.");
		await updateTrackingNumber(trx, orderId, number);
		await replacePosting(trx, orderId, number);
		await recordEvent(trx, orderId, "tracking_corrected", { tracking_number: number, replaces: order.tracking_number }, deps.now());
		// a second correction has a mail of its own
		await deleteMailsOfKind(trx, orderId, "tracking-corrected");
		await queueOrderEmail(deps, trx, orderId, "tracking-corrected");
		return { ok: true };
	});
}

const refuse = (reason: string) => ({ ok: false as const, reason });
