import type { JobKind } from "../../server/jobs.ts";

/** Copies changed orders, and those whose copy has another key. */
export const copyOrdersJob: JobKind<object> = { name: "copy-orders", key: () => "all", retryLimit: 0, cron: "* * * * *" };
