/** Exports for other concepts. */

export {
	deleteExpiredSignIns,
	endSessions,
	findOperator,
	findOperatorByEmail,
	hasDesk,
	listOpenInvitations,
	listOperators,
	listSessions,
	type Operator,
} from "./operators.store.server.ts";
