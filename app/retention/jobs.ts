import type { JobKind } from "../../server/jobs.ts";

/** Deletes expired data, at night, after the reconciliation with the payment provider. */
export const purgeJob: JobKind<object> = { name: "purge", key: () => "all", retryLimit: 5, cron: "15 4 * * *" };
