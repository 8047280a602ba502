import type { Trx } from "../../server/database/database.ts";
import { logAfterCommit } from "../../server/database/log-after-commit.ts";
import type { Runtime } from "../../server/runtime.ts";
import type { OrderEmailKind } from "./order-emails.ts";
import { queueOrderEmail } from "./queue-order-email.server.ts";

/**
 * Tells the operator that an order needs them: a line of the log once it is committed, and a mail, once per order, kind, refund and
 * document.
 */
export async function alertOperator(
	deps: Pick<Runtime, "jobs" | "now">,
	trx: Trx,
	orderId: string,
	kind: Extract<OrderEmailKind, `alert-${string}`>,
	details: Record<string, string | number | null> & { refund?: string; document?: string } = {},
): Promise<void> {
	logAfterCommit(trx, { level: "error", fields: { order: orderId, alert: kind, ...details }, message: "an order needs the operator" });
	await queueOrderEmail(deps, trx, orderId, kind, { refundId: details.refund ?? null, documentId: details.document ?? null });
}
