import type { Context } from "../../../server/runtime.ts";
import type { Cents } from "../../catalogue/money.ts";
import { parseOrderNumber } from "../../orders/order-number.server.ts";
import { findOrderByReference } from "../../orders/orders.store.server.ts";
import { findExtractCost, insertExtractCost } from "./files.store.server.ts";

/** For the page of an order. */
export { findExtractCost } from "./files.store.server.ts";

/** Records what the greffe charged for the extracts of an order, in total. The same amount again records nothing. */
export async function recordExtractCost(
	{ db, now }: Pick<Context, "db" | "now">,
	typedNumber: string,
	amount: Cents,
): Promise<{ ok: true } | { ok: false; code: "unknown-order" }> {
	const number = parseOrderNumber(typedNumber);
	const order = number && (await findOrderByReference(db, { number }));
	if (!order) return { ok: false, code: "unknown-order" };
	if ((await findExtractCost(db, order.order_number)) !== amount) await insertExtractCost(db, order.order_number, amount, now());
	return { ok: true };
}
