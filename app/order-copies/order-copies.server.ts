/** Exports for other concepts. */

export { deleteCopyRows, getLongestWait as readLongestWait, lockCopies, requestCopies } from "./order-copies.store.server.ts";
