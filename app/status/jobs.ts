import type { JobKind } from "../../server/jobs.ts";
import { minutesBetween } from "../catalogue/status-interval.ts";

/** Asks every part whether it works, and writes it down. A measure that failed to be made is missing: the next is near. */
export const measurePartsJob: JobKind<object> = {
	name: "measure-parts",
	key: () => "all",
	retryLimit: 0,
	cron: `*/${minutesBetween} * * * *`,
};
