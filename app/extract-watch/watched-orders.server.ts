/** Exports for other concepts. */

export { listOrdersToTell } from "./extract-watch.store.server.ts";
