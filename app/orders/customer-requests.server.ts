/** Exports for other concepts. */

export {
	anonymiseRequests,
	answerRefundRequest,
	deleteRequests,
	findRefundRequest,
	findWithdrawal,
	insertRefundRequest,
	insertWithdrawal,
	listDeclaration,
	listRefundRequests,
	listWithdrawals,
	type Withdrawal,
} from "./customer-requests.store.server.ts";
