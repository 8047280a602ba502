/** What other concepts record, read and delete in the log of the desk. */

export { type DeskOutcome, deleteOldDeskLog, insertDeskLog, listDeskLog } from "./desk-log.store.server.ts";
