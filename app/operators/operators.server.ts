/** Exports for other concepts. */

export { cancelInvitation, listOpenInvitations, wasInvitedSince } from "./invitations.store.server.ts";
export {
	deleteExpiredSignIns,
	endAllSessions,
	endSessions,
	findOperator,
	findOperatorByEmail,
	hasDesk,
	listOperators,
	listSessions,
	type Operator,
} from "./operators.store.server.ts";
