import type { Context } from "../../server/runtime.ts";
import type { Cents } from "../catalogue/money.ts";
import { isInProgress } from "../orders/lifecycle.ts";
import { lockOrderWithPurchase } from "../orders/orders.store.server.ts";
import type { OperatorCause } from "../orders/refunds/operator-causes.ts";
import { sumTowardsApproval } from "../orders/refunds/refund-figures.store.server.ts";
import { annotateRefunds } from "../orders/refunds/refund-notes.store.server.ts";
import { failOrderWithin } from "./fail-order.server.ts";

interface Stop {
	/** The operator's name. */
	by: string;
	cause: OperatorCause;
	note: string | null;
	/** What goes back, and the most that does for a purchase without a second person, in cents. Null: one has approved. */
	limit: { amount: Cents; most: Cents } | null;
}

/**
 * Stops an order in progress for an operator: it fails, is refunded in full, and the refund keeps the operator's reason.
 * @returns `needs-approval` when the refunds of its purchase together pass the limit.
 */
export async function stopOrder(
	context: Context,
	orderId: string,
	{ by, cause, note, limit }: Stop,
): Promise<{ ok: true } | { ok: false; code: "not-in-progress" | "needs-approval" }> {
	return context.db.transaction().execute(async (trx) => {
		const order = (await lockOrderWithPurchase(trx, orderId))?.order;
		if (!order || !isInProgress(order.status)) return { ok: false, code: "not-in-progress" };
		if (limit && (await sumTowardsApproval(trx, order)) + limit.amount > limit.most) return { ok: false, code: "needs-approval" };
		if (!(await failOrderWithin(context, trx, orderId, "operator", { by }))) return { ok: false, code: "not-in-progress" };
		await annotateRefunds(trx, orderId, { cause, note, by });
		return { ok: true };
	});
}
