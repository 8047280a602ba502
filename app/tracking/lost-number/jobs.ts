import type { JobKind } from "../../../server/jobs.ts";

/** Sends the numbers of an address's orders to that address. The queue deletes the address with the job, a day after its end. */
export const sendOrderNumbersJob: JobKind<{ mailId: string; email: string }> = {
	name: "send-order-numbers",
	key: ({ mailId }) => mailId,
	retryLimit: 20,
};
