/** The functions of the contact store that other concepts may use. */

export { deleteContactsByEmail, deleteOldInterest, deleteOldMessages, listContactsByEmail } from "./contact.store.server.ts";
