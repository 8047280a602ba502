/** Exports for other concepts. */

export { type EmailText, packContent } from "./pack-content.server.ts";
export {
	anonymiseAddress,
	findSentEmail,
	insertSentEmail,
	listEmailsNaming,
	listSentEmails,
	markSentEmailBounced,
	type SentEmail,
} from "./sent-emails.store.server.ts";
