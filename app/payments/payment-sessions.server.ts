/** What other concepts read and change of payment sessions. */

export {
	type Difference,
	deleteSessions,
	findKnownSession,
	forgetPaymentLogs,
	type KnownSession,
	listOrdersWithOpenSession,
	listSessions,
} from "./payments.store.server.ts";
