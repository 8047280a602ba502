import type { Database, Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import type { Order } from "../orders/order.ts";
import { lockOrder, recordEvent, updateOrder } from "../orders/orders.store.server.ts";
import { checkServable, type NotServable } from "./check-servable.ts";
import { findRequest } from "./extract-requests.store.server.ts";

export type RecordRequestRefusal = NotServable | "unknown-order" | "has-extract" | "reported-not-found" | "already-requested";

/**
 * Records that an operator asked the registry for the extract of an order: its customer reads « Demande transmise au greffe » from then on
 * (docs/rules.md, R204). Once only, so that the first hour stays.
 */
export async function recordRequest(
	{ db, now }: Pick<Context, "db" | "now">,
	{ orderId, by }: { orderId: string; by: string },
): Promise<{ ok: true } | { ok: false; code: RecordRequestRefusal }> {
	return db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		if (order === null) return { ok: false, code: "unknown-order" };
		const refused = await checkRequest(trx, order);
		if (refused !== null) return { ok: false, code: refused };
		await updateOrder(trx, orderId, { extract_requested_at: now() });
		await recordEvent(trx, { orderId, type: "extract_requested", payload: { by }, now: now() });
		return { ok: true };
	});
}

/** Why a request for the extract of an order would not be recorded now; null when nothing speaks against it. */
export async function checkRequest(db: Database | Trx, order: Order): Promise<Exclude<RecordRequestRefusal, "unknown-order"> | null> {
	const refused = checkServable(order);
	if (refused !== null) return refused;
	const request = await findRequest(db, order.id);
	if (request?.uploaded_at) return "has-extract";
	if (request?.not_found_at) return "reported-not-found";
	return order.extract_requested_at === null ? null : "already-requested";
}
