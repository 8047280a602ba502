import type { JobKind } from "../../../server/jobs.ts";

/** Runs an act that can no longer be undone. */
export const runActJob: JobKind<{ key: string }> = { name: "run-desk-act", key: ({ key }) => key, retryLimit: 20 };
