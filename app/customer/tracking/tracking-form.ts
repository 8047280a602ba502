import { isEmailShape } from "../../mail/email-address.ts";
import type { TrackOutcome } from "./track-order.server.ts";

/** The errors of the tracking form; the first four are agreed texts (docs/rules.md, R52). */
export const trackingSentences = {
	incomplete: "Veuillez remplir tous les champs",
	badEmail: "Adresse email invalide",
	notFound: "Commande non trouvée. Vérifiez vos informations.",
	fault: "Erreur lors de la recherche",
	limited: "Trop d’essais. Réessayez dans un quart d’heure.",
	invalidLink: "Ce lien n’est plus valable. Indiquez votre e-mail et votre numéro de commande.",
} as const;

/** The refusals of a search, on the pages and in the API. */
export const trackingRefusals: Record<Extract<TrackOutcome, { ok: false }>["code"], { status: number; sentence: string }> = {
	"not-found": { status: 404, sentence: trackingSentences.notFound },
	limited: { status: 429, sentence: trackingSentences.limited },
};

/** @returns the error of the form, or null when it is valid. */
export function checkTrackingForm(email: string, reference: string): string | null {
	if (email === "" || reference === "") return trackingSentences.incomplete;
	return isEmailShape(email) ? null : trackingSentences.badEmail;
}
