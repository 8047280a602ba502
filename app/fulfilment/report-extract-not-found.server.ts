import type { Database } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import type { NotFoundReason } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";
import { lockOrder } from "../orders/orders.store.server.ts";
import { checkServable, type NotServable } from "./check-servable.ts";
import { findRequest, lockRequest, recordNotFound } from "./extract-requests.store.server.ts";

/** Why the extract of an order would not be reported as not found now; null when nothing speaks against it. */
export async function checkReportNotFound(db: Database, order: Order): Promise<ReportNotFoundRefusal | null> {
	return checkServable(order) ?? ((await findRequest(db, order.id))?.storage_path ? "has-extract" : null);
}

export type ReportNotFoundRefusal = NotServable | "unknown-order" | "has-extract";

/**
 * Records that the registry has no extract of an order's company, so that the order fails and is refunded (docs/rules.md, R27). Idempotent.
 * @param because fills the customer's e-mail.
 */
export async function reportExtractNotFound(
	{ db, jobs, now }: Context,
	{ orderId, because, by }: { orderId: string; because: NotFoundReason; by?: string },
): Promise<{ ok: true } | { ok: false; code: ReportNotFoundRefusal }> {
	return db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		if (order === null) return { ok: false, code: "unknown-order" };
		const refused = checkServable(order);
		if (refused !== null) return { ok: false, code: refused };
		const request = await lockRequest(trx, orderId, now());
		// the rule; net: if both are recorded, the issuer returns the extract
		if (request.storage_path !== null) return { ok: false, code: "has-extract" };
		await recordNotFound(trx, orderId, { because, by, now: now() });
		await jobs.send(trx, "fulfil-order", { orderId, because: "not-found" });
		return { ok: true };
	});
}
