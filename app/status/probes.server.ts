/** Exports for other concepts. */

export { deleteOldProbes, listLastProbes } from "./status.store.server.ts";
