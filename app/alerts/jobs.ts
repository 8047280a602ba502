import type { JobKind } from "../../server/jobs.ts";

/** Finds the orders that reach a threshold before their promise, every minute. */
export const findAlertsJob: JobKind<object> = { name: "find-alerts", key: () => "all", retryLimit: 0, cron: "* * * * *" };

/** An order that reached a threshold. */
export interface DueAlert {
	orderId: string;
	/** Before the promise. */
	minutes: number;
}

/** Tells operators of the orders that reached a threshold in the same minute. */
export const sendAlertsJob: JobKind<{ id: string; alerts: DueAlert[] }> = { name: "send-alerts", key: ({ id }) => id, retryLimit: 3 };

/** The day's work, for the operator, before the shop opens. */
export const sendMorningMailJob: JobKind<object> = { name: "send-morning-mail", key: () => "all", retryLimit: 5, cron: "45 7 * * *" };
