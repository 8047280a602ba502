import { isEmail } from "../mail/email-address.ts";

/** What the tracking form answers; all but the last are agreed texts (docs/rules.md, R52). */
export const trackingSentences = {
	incomplete: "Veuillez remplir tous les champs",
	badEmail: "Adresse email invalide",
	notFound: "Commande non trouvée. Vérifiez vos informations.",
	fault: "Erreur lors de la recherche",
	limited: "Trop d’essais. Réessayez dans un quart d’heure.",
} as const;

/** @returns the sentence to show, or null when both fields are worth looking up. */
export function checkTrackingForm(email: string, reference: string): string | null {
	if (email === "" || reference === "") return trackingSentences.incomplete;
	return isEmail(email) ? null : trackingSentences.badEmail;
}
