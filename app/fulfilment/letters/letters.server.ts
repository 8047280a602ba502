/** What other concepts may use of the letters' SQL. */
export { listOpenRuns } from "./letters.store.server.ts";
