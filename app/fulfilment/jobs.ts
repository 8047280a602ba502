import type { JobKind } from "../../server/jobs.ts";

/**
 * Moves a paid order on until it is completed. Each cause sends its own job: a running job may have looked just before the upload.
 */
export const fulfilOrderJob: JobKind<{ orderId: string; because: "paid" | "uploaded" | "posted" | "not-found" | "ready" }> = {
	name: "fulfil-order",
	key: ({ orderId, because }) => `${orderId} ${because}`,
	retryLimit: 20,
};

/** Issues an order's invoice, makes its PDF, and queues the confirmation with it; `corrected`: the number that replaces another. */
export const invoiceOrderJob: JobKind<{ orderId: string; corrected?: string }> = {
	name: "invoice-order",
	key: ({ orderId, corrected }) => (corrected === undefined ? orderId : `${orderId} ${corrected}`),
	retryLimit: 20,
};

/** Issues the credit note of a refund, makes its PDF, and sends the e-mail. */
export const creditRefundJob: JobKind<{ refundId: string }> = {
	name: "credit-refund",
	key: ({ refundId }) => refundId,
	retryLimit: 20,
};

/** Checks at the deadline whether the order was delivered in time. */
export const checkPromiseJob: JobKind<{ orderId: string }> = {
	name: "check-promise",
	key: ({ orderId }) => orderId,
	retryLimit: 20,
};

/** Sends the jobs of stalled orders again. */
export const requeueStalledOrdersJob: JobKind<object> = { name: "wake-orders", key: () => "all", retryLimit: 0, cron: "* * * * *" };
