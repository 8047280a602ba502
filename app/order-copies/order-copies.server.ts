/** Exports for other concepts. */

export { deleteCopyRows, getLongestWait, listUncopiedOrders, lockCopies, orderExists, requestCopies } from "./order-copies.store.server.ts";
