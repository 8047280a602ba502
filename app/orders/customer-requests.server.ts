/** What other concepts read and change of withdrawals and requests for a refund. */

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
