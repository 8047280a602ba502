/** What other concepts read and change of payment sessions. */

export {
	type Difference,
	deletePaymentLogs,
	deleteSessions,
	findKnownSession,
	type KnownSession,
	listOrdersWithOpenSession,
	listSessions,
} from "./payments.store.server.ts";
