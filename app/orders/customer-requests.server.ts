/** The functions on withdrawals and refund requests that other folders may use. */

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
