/** What other concepts read of the company base. */

export { importTimes } from "./companies.store.server.ts";
