import type { Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { isUuid } from "../../../server/uuid.ts";
import { findMail } from "../../mail/mails.server.ts";
import { type ReadBounce, readBounce } from "../../mail/read-bounce.server.ts";
import { findSentEmail, markSentEmailBounced } from "../../mail/sent-emails.server.ts";
import { findOrder } from "../../orders/orders.server.ts";
import { recordBounce } from "./record-bounce.server.ts";

export type BounceOutcome =
	/** `known`: it was recorded before, and nothing changed. */
	| { ok: true; orderNumber: string; kind: string; reason: string; known: boolean }
	| { ok: false; code: Extract<ReadBounce, { ok: false }>["code"] | "unknown-mail" };

/**
 * Handles a delivery status notification for a mail of an order. Idempotent. A mail that was sent again meanwhile is only marked as
 * returned: the operator is alerted when its successor comes back too.
 */
export async function receiveBounce(context: Context, raw: Uint8Array): Promise<BounceOutcome> {
	const read = await readBounce(raw);
	if (!read.ok) return read;
	const mailId = read.messageId.split("@")[0]?.toLowerCase() ?? "";
	if (!isUuid(mailId)) return { ok: false, code: "unknown-mail" };
	return context.db.transaction().execute(async (trx): Promise<BounceOutcome> => {
		const returned = await recordBounceById(context, trx, mailId, read.reason);
		const order = returned && (await findOrder(trx, returned.orderId));
		if (returned === null || order === null) return { ok: false, code: "unknown-mail" };
		return { ok: true, orderNumber: order.order_number, kind: returned.kind, reason: read.reason, known: returned.known };
	});
}

/** Records a bounce. @returns null for an e-mail that the shop does not know. */
async function recordBounceById(context: Context, trx: Trx, mailId: string, reason: string) {
	const mail = await findMail(trx, mailId);
	if (mail && (await recordBounce(context, trx, mail, reason))) return { orderId: mail.order_id, kind: mail.kind, known: false };
	// sent again before, or at this moment
	const known = !(await markSentEmailBounced(trx, mailId, context.now()));
	if (mail) return { orderId: mail.order_id, kind: mail.kind, known };
	const sent = await findSentEmail(trx, mailId);
	return sent && { orderId: sent.orderId, kind: sent.kind, known };
}
