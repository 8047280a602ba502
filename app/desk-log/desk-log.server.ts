/** Exports for other concepts. */

export {
	approveAct,
	deleteOldActs,
	endAct,
	type Fields,
	findAct,
	findPendingAct,
	insertAct,
	listActsToApprove,
	listOpenActs,
	markSeen,
	type RequestedAct,
	startAct,
	undoAct,
	undoActsOf,
} from "./acts.store.server.ts";
export { type DeskLogEntry, type DeskOutcome, deleteOldDeskLog, listDeskLog, wasRecordedSince } from "./desk-log.store.server.ts";
export { recordRefusedAct, runRecorded } from "./run-recorded.server.ts";
