/** Exports for other concepts. */

export { sumOpenRefunds, sumRefundsOfLastHour } from "./refund-figures.store.server.ts";
export {
	annotateRefunds,
	anonymiseRefundNotes,
	closeFailedRefund,
	deletePayments,
	findMatchingRefund,
	findPayment,
	findRefund,
	getRefundableAmount,
	incrementRefundAttempt,
	insertPayment,
	insertRefund,
	isHeld,
	listEffectiveRefunds,
	listHeldRefunds,
	listOrdersWithPayment,
	listPaymentsBetween,
	listPaymentsOfOrder,
	listRefunds,
	type PaymentRole,
	type RecordedPayment,
	type Refund,
	updateDispute,
	updateRefundAmount,
	updateRefundStatus,
} from "./refunds.store.server.ts";
