/** Exports for other concepts. */

export { listIssues } from "./issues.store.server.ts";
