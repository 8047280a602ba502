import type { EmailContent } from "../mail/email.ts";
import { invitationLifetime } from "./invitation-token.server.ts";
import type { Invitation } from "./invitations.store.server.ts";

/** The invitation to the desk. */
export function invitationEmail({ name, invited_by }: Invitation, { url, shopName }: { url: string; shopName: string }): EmailContent {
	return {
		subject: `Votre accès au bureau ${shopName}`,
		preheader: `Ce lien sert une fois, pendant ${invitationLifetime}\u00a0heures.`,
		title: "Votre accès au bureau",
		blocks: [
			`Bonjour ${name},`,
			`${invited_by} vous donne accès au bureau de ${shopName}, où se servent les commandes.`,
			"Ouvrez ce lien, choisissez un mot de passe, puis liez une application d’authentification\u00a0: elle donnera un code à six chiffres à chaque connexion.",
			{ action: "Ouvrir mon accès", url },
			`Ce lien sert une fois, pendant ${invitationLifetime}\u00a0heures. Ne le transmettez pas.`,
			"Vous n’attendiez pas ce message\u00a0? Ignorez-le\u00a0: sans vous, cet accès ne s’ouvre pas.",
		],
	};
}
