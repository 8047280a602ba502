import type { JobKind } from "../../server/jobs.ts";

/** Has the payment provider give money back; app/payments does it. */
export const carryOutRefundJob: JobKind<{ refundId: string }> = {
	name: "carry-out-refund",
	key: ({ refundId }) => refundId,
	retryLimit: 20,
};
