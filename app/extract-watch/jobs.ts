import type { JobKind } from "../../server/jobs.ts";

/** Tells customers what was published since their extract: after the morning's import of the bulletin. */
export const tellNoticesJob: JobKind<object> = { name: "tell-notices", key: () => "all", retryLimit: 3, cron: "30 6 * * *" };
