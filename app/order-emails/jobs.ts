import type { JobKind } from "../../server/jobs.ts";

/** Sends one mail of an order from its row in `mails`. */
export const sendOrderEmailJob: JobKind<{ mailId: string }> = {
	name: "send-order-mail",
	key: ({ mailId }) => mailId,
	retryLimit: 20,
};
