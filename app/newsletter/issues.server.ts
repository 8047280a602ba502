/** The functions of the issue store that other concepts may use. */

export { listIssues } from "./issues.store.server.ts";
