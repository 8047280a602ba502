/** Exports for other concepts. */

export { listImportTimes } from "./companies.store.server.ts";
