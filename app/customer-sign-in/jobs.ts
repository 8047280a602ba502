import type { JobKind } from "../../server/jobs.ts";

/** Sends a mailbox the link to its orders, if it has any. */
export const sendCustomerLinkJob: JobKind<{ mailId: string; email: string }> = {
	name: "send-customer-link",
	key: ({ mailId }) => mailId,
	retryLimit: 10,
};
