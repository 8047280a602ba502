/** Exports for other concepts. */

export { deleteCopyRows, getLongestWait, lockCopies, requestCopies } from "./order-copies.store.server.ts";
