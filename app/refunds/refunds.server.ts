/** What other concepts read and change of payments and refunds. */

export { sumOpenRefunds, sumRefundsOfLastHour } from "./refund-figures.store.server.ts";
export {
	deletePayments,
	findMatchingRefund,
	findPayment,
	findRefund,
	getRefundableAmount,
	insertPayment,
	insertRefund,
	listOrdersWithPayment,
	listPaymentsBetween,
	listPaymentsOfOrder,
	listRefunds,
	nextRefundAttempt,
	type PaymentRole,
	type RecordedPayment,
	type Refund,
	reduceRefund,
	setDisputeStatus,
	setRefundStatus,
} from "./refunds.store.server.ts";
