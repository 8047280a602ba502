import type { Trx } from "../../server/database/database.ts";
import { isUuid } from "../../server/uuid.ts";
import { cents } from "../catalogue/money.ts";
import { alertOperator } from "../order-emails/alert-operator.server.ts";
import type { Order } from "../orders/order.ts";
import {
	calculateRefundable,
	insertRefund,
	isRefundedFrom,
	listRefundsOfPayment,
	type RecordedPayment,
	type Refund,
} from "../refunds/refunds.server.ts";
import { isSplitGuessed, splitRefund } from "../refunds/split-refund.ts";
import type { PaymentShop } from "./payment-shop.ts";
import type { ProviderRefund } from "./provider.ts";

/**
 * Inserts a refund that was made on the provider's pages: a row for each order of the purchase that it pays back. When other orders could
 * have been meant, the operator is told which one it counts for. A refund of ours whose row is missing, as after a restoration, is not split:
 * it is of one order, and `orders recreate` brings its row back.
 */
export async function insertDashboardRefund(
	shop: PaymentShop,
	trx: Trx,
	{ orders, payment, providerRefund }: { orders: readonly Order[]; payment: RecordedPayment; providerRefund: ProviderRefund },
): Promise<Refund[]> {
	const { id: providerId, amount, reference } = providerRefund;
	const candidates = orders.filter((each) => isRefundedFrom(each, payment));
	if (candidates.length > 1 && reference !== null && isUuid(reference)) {
		await alertOperator(shop, trx, { orderId: payment.order_id, kind: "alert-refund-unknown", details: { unknown: reference, amount } });
		return [];
	}
	const recorded = await listRefundsOfPayment(trx, payment.id);
	const lines = candidates.map((order) => ({ orderId: order.id, ...calculateRefundable(recorded, payment, order) }));
	const refunds = [];
	for (const { orderId, amount: part } of splitRefund(lines, cents(amount))) {
		const row = { orderId, payment, amount: part, reason: "dashboard", status: "pending", providerId } as const;
		refunds.push(await insertRefund(trx, { ...row, now: shop.now() }));
	}
	const inserted = refunds.flatMap((refund) => refund ?? []);
	const [first] = inserted;
	if (first && isSplitGuessed(lines, cents(amount)))
		await alertOperator(shop, trx, { orderId: first.order_id, kind: "alert-refund-guessed", details: { refund: first.id, amount } });
	return inserted;
}
