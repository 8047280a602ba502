/** Exports for other concepts. */

export {
	anonymiseRequests,
	answerRefundRequest,
	deleteRequests,
	findRefundRequest,
	findWithdrawal,
	insertRefundRequest,
	insertWithdrawal,
	listRefundRequests,
	type Withdrawal,
} from "./customer-requests.store.server.ts";
