/** Exports for other concepts. */

export {
	type Difference,
	deletePaymentLogs,
	deleteSessions,
	findRecordedSession,
	listPurchasesWithOpenSession,
	listSessions,
	type RecordedSession,
} from "./payments.store.server.ts";
