/** What other concepts read and change of withdrawals and requests for a refund. */

export {
	answerRefundRequest,
	deleteRequests,
	findRefundRequest,
	findWithdrawal,
	forgetRequestWords,
	insertRefundRequest,
	insertWithdrawal,
	listRefundRequests,
	type Withdrawal,
} from "./customer-requests.store.server.ts";
