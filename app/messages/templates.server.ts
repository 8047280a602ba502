/** Exports for other concepts. */

export { listReplyTemplates, upsertReplyTemplate } from "./reply-templates.store.server.ts";
