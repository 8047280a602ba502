import type { JobKind } from "../../server/jobs.ts";

/** Sends one mail of an order from its row in `mails`. */
export const sendOrderEmailJob: JobKind<{ mailId: string }> = {
	name: "send-order-mail",
	key: ({ mailId }) => mailId,
	retryLimit: 20,
};

/** Sends one mail of a kind of which thousands may wait (`isBulk`). Low priority, so that the readiness check does not count them. */
export const sendBulkEmailJob: JobKind<{ mailId: string }> = {
	name: "send-bulk-mail",
	key: ({ mailId }) => mailId,
	retryLimit: 20,
	lowPriority: true,
};

/** Queues the e-mails of a service of a purchase, once all its orders of that service have ended. Each order that ends sends its own job. */
export const queueReadyEmailsJob: JobKind<{ orderId: string }> = {
	name: "queue-ready-mails",
	key: ({ orderId }) => orderId,
	retryLimit: 20,
};

/** Queues the e-mails about what was published since delivered extracts, after the morning's import of the bulletin. */
export const queueNoticeEmailsJob: JobKind<object> = { name: "tell-notices", key: () => "all", retryLimit: 3, cron: "30 6 * * *" };
