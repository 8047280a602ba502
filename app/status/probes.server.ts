/** The functions on probes that other concepts may use. */

export { deleteOldProbes, listLastProbes } from "./status.store.server.ts";
