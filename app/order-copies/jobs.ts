import type { JobKind } from "../../server/jobs.ts";

/** Copies what changed since it was copied, and what was encrypted with another key. */
export const copyOrdersJob: JobKind<object> = { name: "copy-orders", key: () => "all", retryLimit: 0, cron: "* * * * *" };
