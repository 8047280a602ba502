import type { JobKind } from "../../server/jobs.ts";

/** Sends a mailbox the link to its orders, if it has any. Few tries: who asked waits for it, and can ask again. */
export const sendCustomerLinkJob: JobKind<{ mailId: string; email: string }> = {
	name: "send-customer-link",
	key: ({ mailId }) => mailId,
	retryLimit: 10,
};
