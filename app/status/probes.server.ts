/** Exports for other concepts. */

export { deleteOldProbes, findProbeSpan, listLastProbes, listProbeDays } from "./status.store.server.ts";
