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
	calculateRefundable,
	deletePayments,
	findPayment,
	findRefund,
	getRefundableAmount,
	incrementRefundAttempt,
	insertPayment,
	insertRefund,
	isEffective,
	isHeld,
	isRefundedFrom,
	listEffectiveRefunds,
	listHeldRefunds,
	listOpenRefunds,
	listOrdersWithPayment,
	listPaymentsBetween,
	listPaymentsOfPurchase,
	listRefunds,
	listRefundsOfPayment,
	type PaymentRole,
	type RecordedPayment,
	type Refund,
	sumRefundedPrice,
	updateDispute,
	updateRefundAmount,
	updateRefundStatus,
} from "./refunds.store.server.ts";
