/** What other concepts read and delete of the sandbox’s records. */

export { anonymiseSandboxCustomers, deleteOldSandboxRecords, findSandboxSession } from "./sandbox.store.server.ts";
