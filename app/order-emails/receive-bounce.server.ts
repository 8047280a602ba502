import type { Context } from "../../server/runtime.ts";
import { isUuid } from "../../server/uuid.ts";
import { findMail } from "../mail/mails.server.ts";
import { type ReadBounce, readBounce } from "../mail/read-bounce.server.ts";
import { findOrder } from "../orders/orders.server.ts";
import { recordBounce } from "./record-bounce.server.ts";

export type BounceOutcome =
	/** `known`: it was recorded before, and nothing changed. */
	| { ok: true; orderNumber: string; kind: string; reason: string; known: boolean }
	| { ok: false; code: Extract<ReadBounce, { ok: false }>["code"] | "unknown-mail" };

/** Handles a delivery status notification for a mail of an order. Idempotent. */
export async function receiveBounce(context: Context, raw: Uint8Array): Promise<BounceOutcome> {
	const read = await readBounce(raw);
	if (!read.ok) return read;
	const mailId = read.messageId.split("@")[0]?.toLowerCase() ?? "";
	return context.db.transaction().execute(async (trx): Promise<BounceOutcome> => {
		const mail = isUuid(mailId) ? await findMail(trx, mailId) : null;
		const order = mail && (await findOrder(trx, mail.order_id));
		if (mail === null || order === null) return { ok: false, code: "unknown-mail" };
		const isNew = await recordBounce(context, trx, mail, read.reason);
		return { ok: true, orderNumber: order.order_number, kind: mail.kind, reason: read.reason, known: !isNew };
	});
}
