// Apart from invite-operator.server.ts, which commands in a terminal load without React.
import type { EmailContent } from "../../mail/email.ts";
import type { MailContext } from "../../mail/mailer.ts";
import { renderEmail } from "../../mail/render-email.tsx";
import { findOpenInvitation, type Invitation } from "./invitations.store.server.ts";
import { createInvitationUrl, invitationLifetime } from "./invite-operator.server.ts";
import { monthsSentence } from "./roles.ts";

/** Sends an invitation, unless it was used or replaced meanwhile. @throws after a temporary failure; the job tries again. */
export async function sendInvitation(context: MailContext, invitationId: string): Promise<void> {
	const { db, mailer, environment, log, now } = context;
	const invitation = await findOpenInvitation(db, invitationId, now());
	if (invitation === null) return;
	const content = invitationEmail(invitation, { url: createInvitationUrl(context, invitation), shopName: environment.shop.name });
	const sent = await mailer.send({ id: invitation.id, to: invitation.email, ...renderEmail(content, environment.shop) });
	if (!sent.ok) log.warn({ invitation: invitation.id, reason: sent.reply }, "an operator's invitation was refused");
}

/** The invitation to the desk. */
function invitationEmail({ name, invited_by, roles }: Invitation, { url, shopName }: { url: string; shopName: string }): EmailContent {
	return {
		subject: `Votre accès au bureau ${shopName}`,
		preheader: `Ce lien sert une fois, pendant ${invitationLifetime}\u00a0heures.`,
		title: "Votre accès au bureau",
		blocks: [
			`Bonjour ${name},`,
			...(roles.every((role) => role === "months")
				? [`${invited_by} vous donne accès aux comptes de la boutique ${shopName}.`, monthsSentence]
				: [`${invited_by} vous donne accès au bureau de la boutique ${shopName}, où se servent les commandes.`]),
			"Ouvrez ce lien, choisissez un mot de passe, puis liez une application d’authentification\u00a0: elle donnera un code à six chiffres à chaque connexion.",
			{ action: "Ouvrir mon accès", url },
			`Ce lien sert une fois, pendant ${invitationLifetime}\u00a0heures. Ne le transmettez pas.`,
			"Vous n’attendiez pas ce message\u00a0? Ignorez-le\u00a0: sans vous, cet accès ne s’ouvre pas.",
		],
	};
}
