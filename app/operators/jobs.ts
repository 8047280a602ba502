import type { JobKind } from "../../server/jobs.ts";
import type { AccessChange } from "./access-notice-email.ts";

export const sendInvitationJob: JobKind<{ invitationId: string }> = {
	name: "send-invitation",
	key: ({ invitationId }) => invitationId,
	retryLimit: 10,
};

/** What changed in an operator's access, when (ISO 8601), and from which network. */
export interface AccessNotice {
	id: string;
	operatorId: string;
	change: AccessChange;
	at: string;
	origin: string;
}

export const sendAccessNoticeJob: JobKind<AccessNotice> = { name: "send-access-notice", key: ({ id }) => id, retryLimit: 10 };
