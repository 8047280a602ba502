import type { JobKind } from "../../server/jobs.ts";

/** Tries for most of a day, until an unavailable mail server works again. */
const retryLimit = 500;

/**
 * Asks the owner of a mailbox to confirm an alert, and the others that wait. Requests before the same instant share one job.
 * @param data `after`: the mailbox's earliest instant of such an e-mail, in milliseconds.
 */
export const sendAlertConfirmationJob: JobKind<{ alertId: string; followerId: string; after: number }> = {
	name: "send-company-alert-confirmation",
	key: ({ followerId, after }) => `${followerId}/${after}`,
	retryLimit,
};

/**
 * Why a mailbox gets the link to its alerts: it was asked for; or somebody asked for a company that it follows, or for one more than it
 * may follow, which the form must not tell.
 */
export type AlertLinkReason = "asked" | "followed" | "full";

/** Sends an address the link to its alerts, if it has any. */
export const sendAlertLinkJob: JobKind<{ mailId: string; email: string; reason: AlertLinkReason }> = {
	name: "send-company-alert-link",
	key: ({ mailId }) => mailId,
	retryLimit,
};

/** Sends the news of one mailbox. Low priority, and not counted by the readiness check: thousands may wait. */
export const deliverAlertMailJob: JobKind<{ mailId: string }> = {
	name: "deliver-company-alerts",
	key: ({ mailId }) => mailId,
	retryLimit,
	lowPriority: true,
};

/** Tells of new notices, a few minutes after they were read. */
export const queueAlertsAtOnceJob: JobKind<object> = {
	name: "queue-company-alerts",
	key: () => "all",
	retryLimit: 3,
	cron: "*/5 * * * *",
};

/** Tells of the notices of a week, on Monday morning. */
export const queueWeeklyAlertsJob: JobKind<object> = {
	name: "queue-weekly-company-alerts",
	key: () => "all",
	retryLimit: 5,
	cron: "30 7 * * 1",
};
