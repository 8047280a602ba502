import type { JobKind } from "../../server/jobs.ts";

/** Sends one mail of an order from its row in `mails`. */
export const sendOrderEmailJob: JobKind<{ mailId: string }> = {
	name: "send-order-mail",
	key: ({ mailId }) => mailId,
	retryLimit: 20,
};

/** Sends one mail of a kind of which thousands may wait (`isBulkEmail`). Low priority, so that the readiness check does not count them. */
export const sendBulkEmailJob: JobKind<{ mailId: string }> = {
	name: "send-bulk-mail",
	key: ({ mailId }) => mailId,
	retryLimit: 20,
	lowPriority: true,
};
