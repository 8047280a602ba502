import type { ShareOutcome, TypedShare } from "./make-share.server.ts";
import { codeLength, maxLabelLength, maxShares, shareDays } from "./share-rules.ts";

/** A refused form: the sentence, its field if one is wrong, and what was typed but the code word. */
export interface RefusedShare extends Pick<TypedShare, "label" | "days"> {
	sharing: string;
	field: "label" | "days" | "code" | null;
}

type Code = Extract<ShareOutcome, { ok: false }>["code"];

const refusals: Record<Code, Pick<RefusedShare, "sharing" | "field"> & { status: number }> = {
	label: { status: 400, field: "label", sharing: `Écrivez au plus ${maxLabelLength}\u00a0caractères, sans caractère spécial.` },
	days: { status: 400, field: "days", sharing: `Indiquez un nombre de jours, de ${shareDays.min} à ${shareDays.max}.` },
	code: { status: 400, field: "code", sharing: `Choisissez un code de ${codeLength.min} à ${codeLength.max}\u00a0caractères.` },
	missing: { status: 409, field: null, sharing: "Cet extrait ne peut pas être partagé pour le moment." },
	full: {
		status: 409,
		field: null,
		sharing: `Vous avez déjà ${maxShares}\u00a0liens en cours pour cet extrait. Retirez-en un pour en créer un autre.`,
	},
	limited: { status: 429, field: null, sharing: "Trop de liens ont été créés aujourd’hui. Réessayez demain." },
};

/** The answer to a customer whose link is not made. */
export const describeRefusedShare = (code: Code, { label, days }: TypedShare): RefusedShare & { status: number } => ({
	...refusals[code],
	label,
	days,
});
