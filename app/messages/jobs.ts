import type { JobKind } from "../../server/jobs.ts";

/** Sends an operator's reply from its row in `conversation_messages`. */
export const sendReplyJob: JobKind<{ messageId: string }> = {
	name: "send-reply",
	key: ({ messageId }) => messageId,
	retryLimit: 20,
};
