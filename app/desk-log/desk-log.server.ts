/** The functions of the log of commands that other concepts may use. */

export { type DeskOutcome, deleteOldDeskLog, insertDeskLog, listDeskLog } from "./desk-log.store.server.ts";
