/** Exports for other concepts. */

export { anonymiseSandboxCustomers, deleteOldSandboxRecords, findSandboxSession } from "./sandbox.store.server.ts";
