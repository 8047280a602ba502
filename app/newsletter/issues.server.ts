/** What other concepts read of newsletter issues. */

export { listLetters } from "./issues.store.server.ts";
