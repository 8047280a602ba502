/** What other concepts read and delete of the sandbox’s records. */

export { findSandboxSession, forgetSandbox, forgetSandboxCustomers } from "./sandbox.store.server.ts";
