/** Exports for other concepts. */

export { deleteContactsByEmail, deleteOldInterest, deleteOldMessages, listContactsByEmail } from "./contact.store.server.ts";
