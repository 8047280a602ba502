/** Exports for other concepts. */

export {
	deleteCustomerSessionsByEmail,
	deleteExpiredCustomerSessions,
	listCustomerSessionsByEmail,
	type OpenSession,
} from "./sessions.store.server.ts";
