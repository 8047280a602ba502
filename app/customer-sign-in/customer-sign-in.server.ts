/** Exports for other concepts. */

export {
	deleteCustomerSessionsByEmail,
	deleteExpiredCustomerSessions,
	listCustomerSessionsByEmail,
} from "./sessions.store.server.ts";
