import type { JobKind } from "../../server/jobs.ts";

/** Moves a paid order on until it is completed. */
export const fulfilOrderJob: JobKind<{ orderId: string }> = {
	name: "fulfil-order",
	key: ({ orderId }) => orderId,
	retryLimit: 20,
};

/** Sends one mail of an order; its row in `mails` was written before. */
export const sendOrderMailJob: JobKind<{ mailId: string }> = {
	name: "send-order-mail",
	key: ({ mailId }) => mailId,
	retryLimit: 20,
};
