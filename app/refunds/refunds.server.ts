/** Exports for other concepts. */

export {
	isEffectiveRefund,
	operatorCause,
	sumHeldRefunds,
	sumOpenRefunds,
	sumRefundsOfLastHour,
	sumTowardsApproval,
} from "./refund-figures.store.server.ts";
export { annotateRefunds, anonymiseRefundNotes, closeFailedRefund } from "./refund-notes.store.server.ts";
export {
	deletePayments,
	findPayment,
	findRefund,
	getRefundableAmount,
	getUnrefundedAmount,
	incrementRefundAttempt,
	insertPayment,
	insertRefund,
	isEffective,
	isHeld,
	isRefundedFrom,
	listEffectiveRefunds,
	listHeldRefunds,
	listMatchingRefunds,
	listOrdersWithPayment,
	listPaymentsBetween,
	listPaymentsOfPurchase,
	listRefunds,
	listRefundsOfPayment,
	type PaymentRole,
	type RecordedPayment,
	type Refund,
	updateDispute,
	updateRefundAmount,
	updateRefundStatus,
} from "./refunds.store.server.ts";
