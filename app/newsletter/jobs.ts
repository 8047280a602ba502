import type { JobKind } from "../../server/jobs.ts";

/** Tries over most of a day: a mail server that is away comes back, and who asked twice on one day is not written to twice. */
const retryLimit = 500;

/** Asks whoever wants the newsletter to confirm. */
export const sendConfirmationJob: JobKind<{ subscriptionId: string }> = {
	name: "send-newsletter-confirmation",
	key: ({ subscriptionId }) => subscriptionId,
	retryLimit,
};

/** Sends one letter to one subscriber; to thousands it takes its time, through which the shop is as well as ever. */
export const deliverIssueJob: JobKind<{ letterId: string; subscriptionId: string }> = {
	name: "deliver-newsletter",
	key: ({ letterId, subscriptionId }) => `${letterId}/${subscriptionId}`,
	retryLimit,
	mayWait: true,
};

/** Sends the operator a letter as its readers would get it. */
export const sendTestCopyJob: JobKind<{ copyId: string; to: string; content: string }> = {
	name: "send-newsletter-copy",
	key: ({ copyId }) => copyId,
	retryLimit: 5,
};
