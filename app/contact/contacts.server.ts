/** What other concepts read and delete of messages and interest. */

export { deleteContactsOf, deleteOldInterest, deleteOldMessages, listContactsOf } from "./contact.store.server.ts";
