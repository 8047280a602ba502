/** Exports for other concepts. */

export {
	type Difference,
	deletePaymentLogs,
	deleteSessions,
	findRecordedSession,
	listOrdersWithOpenSession,
	listSessions,
	type RecordedSession,
} from "./payments.store.server.ts";
