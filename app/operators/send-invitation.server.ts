import type { MailContext } from "../mail/mailer.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { invitationEmail } from "./invitation-email.ts";
import { findOpenInvitation } from "./invitations.store.server.ts";
import { createInvitationUrl } from "./invite-operator.server.ts";

/** Sends an invitation, unless it was used or replaced meanwhile. @throws after a temporary failure; the job tries again. */
export async function sendInvitation(context: MailContext, invitationId: string): Promise<void> {
	const { db, mailer, environment, log, now } = context;
	const invitation = await findOpenInvitation(db, invitationId, now());
	if (invitation === null) return;
	const content = invitationEmail(invitation, { url: createInvitationUrl(context, invitation), shopName: environment.shop.name });
	const sent = await mailer.send({ id: invitation.id, to: invitation.email, ...renderEmail(content, environment.shop) });
	if (!sent.ok) log.warn({ invitation: invitation.id, reason: sent.reply }, "an operator's invitation was refused");
}
