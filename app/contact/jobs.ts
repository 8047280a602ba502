import type { JobKind } from "../../server/jobs.ts";

/** Mails a message of the contact or support form to the shop, and tells its author that it arrived. */
export const forwardMessageJob: JobKind<{ messageId: string }> = {
	name: "pass-on-message",
	key: ({ messageId }) => messageId,
	// over most of a day: nothing else looks for a message that did not leave
	retryLimit: 500,
};
