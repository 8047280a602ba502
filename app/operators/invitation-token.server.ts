import { hourSeconds } from "../../server/durations.ts";
import { expiringToken } from "../../server/signing.ts";

/** Hours. */
export const invitationLifetime = 48;

/** The secret of an invitation's link. */
export const invitationToken = expiringToken("operator-invitation", invitationLifetime * hourSeconds);
