/** Exports for other concepts. */

export { deleteOldBalance } from "./balance.store.server.ts";
