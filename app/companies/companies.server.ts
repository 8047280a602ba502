/** Exports for other concepts. */

export { listImportTimes as importTimes } from "./companies.store.server.ts";
