/** What other concepts read of newsletter issues. */

export { listIssues } from "./issues.store.server.ts";
