import type { Context } from "../../server/runtime.ts";
import type { OperatorCause } from "../refunds/operator-causes.ts";
import { annotateRefunds } from "../refunds/refunds.server.ts";
import { failOrder } from "./fail-order.server.ts";

/**
 * Stops an order in progress for an operator: it fails, is refunded in full, and the refund keeps the operator's reason.
 * @param by the operator's name. @returns false when the order is no longer in progress.
 */
export async function stopOrder(
	context: Context,
	orderId: string,
	{ by, cause, note }: { by: string; cause: OperatorCause; note: string | null },
): Promise<boolean> {
	if (!(await failOrder(context, orderId, "operator", { by }))) return false;
	await annotateRefunds(context.db, orderId, { cause, note });
	return true;
}
