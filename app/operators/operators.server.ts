/** Exports for other concepts. */

export { cancelInvitation, listOpenInvitations } from "./invitations.store.server.ts";
export {
	deleteExpiredSignIns,
	endAllSessions,
	endSessions,
	findOperator,
	findOperatorByEmail,
	hasDesk,
	hasNewAccess,
	listOperators,
	listSessions,
	type Operator,
} from "./operators.store.server.ts";
