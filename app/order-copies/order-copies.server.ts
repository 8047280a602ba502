/** What other concepts read and change of the copies of orders. */

export { deleteCopyRows, lockCopies, readLongestWait, requestCopies } from "./order-copies.store.server.ts";
