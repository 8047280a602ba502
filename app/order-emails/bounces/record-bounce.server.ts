import type { Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { markMailBounced, type QueuedMail } from "../../mail/mails.server.ts";
import { markSentEmailBounced } from "../../mail/sent-emails.server.ts";
import { recordEvent } from "../../orders/orders.server.ts";
import { alertOperator } from "../alert-operator.server.ts";
import { orderEmails, parseOrderEmailKind } from "../order-emails.ts";

/**
 * Records a permanent bounce in the caller's transaction, and alerts the operator unless the mail was theirs.
 * @returns false when it was recorded before.
 */
export async function recordBounce(context: Context, trx: Trx, { id, order_id, kind }: QueuedMail, reason: string): Promise<boolean> {
	const now = context.now();
	if (!(await markMailBounced(trx, id, reason, now))) return false;
	await markSentEmailBounced(trx, id, now);
	const { to } = orderEmails[parseOrderEmailKind(kind)];
	if (to === "previous") return true; // a mistyped address: its customer has corrected it
	if (to === "operator") {
		context.log.error({ order: order_id, alert: kind }, "a mail to the operator was refused");
		return true;
	}
	await recordEvent(trx, { orderId: order_id, type: "mail_bounced", payload: { kind }, now });
	await alertOperator(context, trx, { orderId: order_id, kind: "alert-bounce", details: { kind } });
	return true;
}
