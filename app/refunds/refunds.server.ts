/** What other concepts read and change of payments and refunds. */

export { sumOpenRefunds, sumRefundsOfLastHour } from "./refund-figures.store.server.ts";
export {
	deletePayments,
	findPayment,
	findRefund,
	findRefundOf,
	insertPayment,
	insertRefund,
	type KnownPayment,
	listOrdersWithPayment,
	listPaymentsBetween,
	listPaymentsOfOrder,
	listRefunds,
	nextRefundAttempt,
	type PaymentRole,
	type Refund,
	reduceRefund,
	refundableOf,
	setDisputeStatus,
	setRefundStatus,
} from "./refunds.store.server.ts";
