import type { JobKind } from "../../server/jobs.ts";

/** Forwards a message of the contact or support form to the shop, and sends its author a receipt. */
export const forwardMessageJob: JobKind<{ messageId: string; withReceipt?: boolean }> = {
	name: "pass-on-message",
	key: ({ messageId }) => messageId,
	// tries for most of a day, because nothing else finds a message that was not forwarded
	retryLimit: 500,
};
