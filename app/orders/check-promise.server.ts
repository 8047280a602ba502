import type { Runtime } from "../../server/runtime.ts";
import { services } from "../catalogue/services.ts";
import { findExtract } from "../documents/documents.store.server.ts";
import { alertOperator } from "./alert-operator.server.ts";
import { appendEvent, lockOrder, setFacts } from "./orders.store.server.ts";
import { requestRefund } from "./request-refund.server.ts";
import { queueOrderMail } from "./send-order-mail.server.ts";

/**
 * Looks, from the promised instant on, whether an order is delivered. If not: it is late, the customer and the operator are
 * told, and an express order is refunded in full, once; its document is still owed (decision A6).
 */
export async function checkPromise(deps: Pick<Runtime, "db" | "jobs" | "now" | "log">, orderId: string): Promise<void> {
	await deps.db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		if (!order?.promised_at || order.late_at || deps.now() < order.promised_at) return;
		if (order.status !== "paid" && order.status !== "processing") return;
		const byMail = services[order.product_code].deliveryMethod === "email";
		const extract = await findExtract(trx, orderId);
		// it lay ready in time: the address that was given to us refused it
		if (byMail && extract && extract.created_at <= order.promised_at) return;
		await setFacts(trx, orderId, { late_at: deps.now() });
		await appendEvent(trx, orderId, "late", { promised_at: order.promised_at.toISOString() }, deps.now());
		if (order.product_code === "express") await requestRefund(deps, trx, orderId, { reason: "late" });
		await queueOrderMail(deps, trx, orderId, "late");
		await alertOperator(deps, trx, orderId, "alert-late");
	});
}
