import type { JobKind } from "../../server/jobs.ts";

/** Tries for most of a day, until an unavailable mail server works again. Two requests on one day send one e-mail. */
const retryLimit = 500;

/** Asks a new subscriber to confirm. */
export const sendConfirmationJob: JobKind<{ subscriptionId: string }> = {
	name: "send-newsletter-confirmation",
	key: ({ subscriptionId }) => subscriptionId,
	retryLimit,
};

/** Sends one issue to one subscriber. Low priority, and not counted by the readiness check: thousands may wait. */
export const deliverIssueJob: JobKind<{ letterId: string; subscriptionId: string }> = {
	name: "deliver-newsletter",
	key: ({ letterId, subscriptionId }) => `${letterId}/${subscriptionId}`,
	retryLimit,
	lowPriority: true,
};

/** Sends an issue to one address, as subscribers would receive it. */
export const sendTestCopyJob: JobKind<{ copyId: string; to: string; content: string }> = {
	name: "send-newsletter-copy",
	key: ({ copyId }) => copyId,
	retryLimit: 5,
};
