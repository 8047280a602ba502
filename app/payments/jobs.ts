import type { JobKind } from "../../server/jobs.ts";

/** Asks the provider about sessions whose event did not come. */
export const sweepPaymentsJob: JobKind<object> = { name: "sweep-payments", key: () => "all", retryLimit: 0, cron: "* * * * *" };

/** Compares the provider's payments with ours, every night. */
export const reconcileJob: JobKind<object> = { name: "reconcile", key: () => "all", retryLimit: 5, cron: "30 3 * * *" };
