/** The functions on payment sessions that other folders may use. */

export {
	type Difference,
	deletePaymentLogs,
	deleteSessions,
	findRecordedSession,
	listOrdersWithOpenSession,
	listSessions,
	type RecordedSession,
} from "./payments.store.server.ts";
