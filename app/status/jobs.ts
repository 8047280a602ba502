import type { JobKind } from "../../server/jobs.ts";
import { minutesBetween } from "../catalogue/status-interval.ts";

/** Probes every part and records the results. A failed job is not retried, because the next one is due soon. */
export const measurePartsJob: JobKind<object> = {
	name: "measure-parts",
	key: () => "all",
	retryLimit: 0,
	cron: `*/${minutesBetween} * * * *`,
};
