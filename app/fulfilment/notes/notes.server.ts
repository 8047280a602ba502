/** Exports for other concepts. */

export { deleteNotes, listNotes } from "./notes.store.server.ts";
