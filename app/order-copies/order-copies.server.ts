/** Exports for other concepts. */

export { deleteCopyRows, getLongestWait, listUncopiedOrders, lockCopies, requestCopies } from "./order-copies.store.server.ts";
