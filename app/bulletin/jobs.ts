import type { JobKind } from "../../server/jobs.ts";

/** Reads the bulletin until it has come to today; once it has, the other runs of the day do nothing. */
export const readBulletinJob: JobKind<object> = {
	name: "read-bulletin",
	key: () => "all",
	retryLimit: 2,
	cron: "15 5-23 * * *",
};
