import { requestStatuses } from "../../orders/request-statuses.ts";
import type { FieldError } from "../../ui/error-summary.tsx";
import type { ShareOutcome, TypedShare } from "./create-share.server.ts";
import { codeLength, maxLabelLength, maxShares, shareDays } from "./share-rules.ts";

/** A refused form: its wrong fields or, where there are none, the reason; and what was typed. */
export interface RefusedShare {
	shareErrors: FieldError[];
	shareRefused: string | null;
	typed: TypedShare;
}

type Refusal = Exclude<Extract<ShareOutcome, { ok: false }>, { code: "no-access" }>;

const fieldErrors: Record<keyof TypedShare, string> = {
	sender: `Écrivez au plus ${maxLabelLength}\u00a0caractères, sans adresse web ni e-mail.`,
	purpose: `Écrivez au plus ${maxLabelLength}\u00a0caractères, sans adresse web ni e-mail.`,
	label: `Écrivez au plus ${maxLabelLength}\u00a0caractères, sans caractère de contrôle.`,
	days: `Indiquez un nombre de jours, de ${shareDays.min} à ${shareDays.max}.`,
	code: `Choisissez un code de ${codeLength.min} à ${codeLength.max}\u00a0caractères.`,
};

const sentences: Record<Exclude<Refusal["code"], "invalid">, string> = {
	missing: "Cet extrait ne peut pas être partagé pour le moment.",
	full: `Vous avez déjà ${maxShares}\u00a0liens en cours pour cet extrait. Retirez-en un pour en créer un autre.`,
	busy: "Trop de demandes arrivent en même temps. Réessayez dans une minute.",
	limited: "Trop de liens ont été créés aujourd’hui. Réessayez demain.",
};

/** The answer to a customer whose link is not made. */
export function describeRefusedShare(refusal: Refusal, typed: TypedShare): { refused: RefusedShare; status: number } {
	const status = requestStatuses[refusal.code];
	if (refusal.code === "invalid") {
		const shareErrors = refusal.fields.map((field) => ({ field, message: fieldErrors[field] }));
		return { refused: { shareErrors, shareRefused: null, typed }, status };
	}
	return { refused: { shareErrors: [], shareRefused: sentences[refusal.code], typed }, status };
}
