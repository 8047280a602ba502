import type { JobKind } from "../../server/jobs.ts";

/** Makes a refund at the payment provider; app/payments handles it. */
export const carryOutRefundJob: JobKind<{ refundId: string }> = {
	name: "carry-out-refund",
	key: ({ refundId }) => refundId,
	retryLimit: 20,
};
