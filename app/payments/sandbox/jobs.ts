import type { JobKind } from "../../../server/jobs.ts";

/** Delivers an event over HTTP, as a provider does: again and again until it is answered by a success. */
export const deliverSandboxEventJob: JobKind<{ eventId: string }> = {
	name: "deliver-sandbox-event",
	key: ({ eventId }) => eventId,
	retryLimit: 20,
};
