import type { JobKind } from "../../server/jobs.ts";

/** Reads the provider's balance and posts the entries of new facts, every night, after the reconciliation. */
export const updateAccountsJob: JobKind<object> = { name: "update-accounts", key: () => "all", retryLimit: 5, cron: "15 4 * * *" };
