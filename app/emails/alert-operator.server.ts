import type { Trx } from "../../server/database/database.ts";
import { logAfterCommit } from "../../server/database/log-after-commit.ts";
import type { Context } from "../../server/runtime.ts";
import type { OperatorAlertKind } from "./order-emails.server.ts";
import { queueOrderEmail } from "./queue-order-email.server.ts";

interface OperatorAlert {
	orderId: string;
	kind: OperatorAlertKind;
	/** The order of the e-mail, when one e-mail is about several; by default the order itself. */
	mailedFor?: string | undefined;
	/** For the log. */
	details?: Record<string, string | number | null> & { refund?: string; document?: string };
}

/**
 * Alerts the operator to an order by a log line after the commit and an e-mail, once per order, kind, refund and document.
 */
export async function alertOperator(
	context: Context,
	trx: Trx,
	{ orderId, kind, mailedFor = orderId, details = {} }: OperatorAlert,
): Promise<void> {
	logAfterCommit(trx, { level: "error", fields: { order: orderId, alert: kind, ...details }, message: "an order needs the operator" });
	await queueOrderEmail(context, trx, { orderId: mailedFor, kind, refundId: details.refund ?? null, documentId: details.document ?? null });
}
