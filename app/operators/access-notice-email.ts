import { formatInstant } from "../catalogue/instants.ts";
import type { EmailContent } from "../mail/email.ts";

/** `access`: an invitation replaced password and second factor. `codes`: the recovery codes. */
export type AccessChange = "passkey" | "password" | "codes" | "access";

const sentences: Record<AccessChange, string> = {
	passkey: "Une clé d’accès a été ajoutée à votre accès",
	password: "Votre mot de passe a été changé",
	codes: "Vos codes de secours ont été remplacés",
	access: "Votre mot de passe et votre second facteur ont été remplacés",
};

/** Tells an operator what changed in their own access, so that they notice what they did not do. */
export function accessNoticeEmail(
	{ name, change, at, origin }: { name: string; change: AccessChange; at: Date; origin: string },
	{ url, shopName }: { url: string; shopName: string },
): EmailContent {
	const sentence = sentences[change];
	return {
		subject: `${sentence}\u00a0: bureau ${shopName}`,
		preheader: "Si c’est vous, vous n’avez rien à faire.",
		title: sentence,
		blocks: [
			`Bonjour ${name},`,
			`${sentence} le ${formatInstant(at)}, depuis ${origin}.`,
			"Si c’est vous, vous n’avez rien à faire.",
			"Si ce n’est pas vous, ouvrez «\u00a0Mon accès\u00a0»\u00a0: terminez toutes les sessions, supprimez les clés d’accès inconnues et changez de mot de passe. Prévenez aussi un responsable, qui peut fermer votre accès.",
			{ action: "Ouvrir «\u00a0Mon accès\u00a0»", url },
		],
	};
}
