import type { JobKind } from "../../server/jobs.ts";

/** Deletes what has been kept long enough, at night, after the comparison with the provider's books. */
export const purgeJob: JobKind<object> = { name: "purge", key: () => "all", retryLimit: 5, cron: "15 4 * * *" };
