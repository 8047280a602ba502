import type { JobKind } from "../../server/jobs.ts";

export const sendInvitationJob: JobKind<{ invitationId: string }> = {
	name: "send-invitation",
	key: ({ invitationId }) => invitationId,
	retryLimit: 10,
};
