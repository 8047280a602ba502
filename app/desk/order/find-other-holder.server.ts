import { checkClaim } from "../../fulfilment/claims/claim-order.server.ts";
import { isInProgress } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import type { Shop } from "../../shop.ts";
import { describeClaimRefusal } from "../queue/claim-sentences.ts";

/**
 * Claims an open order for an operator who works on it (docs/rules.md, R75). The claim keeps others away during the act, which need not be
 * in the same transaction. @returns the sentence that names another operator who has it; null otherwise.
 */
export async function findOtherHolder(shop: Shop, order: Order, actor: { id: string | null; name: string }): Promise<string | null> {
	if (!isInProgress(order.status)) return null;
	const checked = await shop.db.transaction().execute((trx) => checkClaim(shop, trx, { orderId: order.id, actor }));
	return checked.ok ? null : describeClaimRefusal(checked);
}
