/** Exports for other concepts. */

export { type DeskOutcome, deleteOldDeskLog, insertDeskLog, listDeskLog } from "./desk-log.store.server.ts";
