/** What other concepts may use of the letters' SQL. */
export { deleteOldRuns, listOpenRuns } from "./letters.store.server.ts";
