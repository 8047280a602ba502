/** What other concepts read and delete of the measures of the service. */

export { deleteOldProbes, listLastProbes } from "./status.store.server.ts";
