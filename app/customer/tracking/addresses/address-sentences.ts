import { explainEmail } from "../../../mail/suggest-email.ts";
import type { CorrectedNoticeProps } from "./address-form.tsx";
import type { AddressCorrectionOutcome, Addresses } from "./correct-addresses.server.ts";

type AddressCorrectionRefusal = Exclude<Extract<AddressCorrectionOutcome, { ok: false }>["code"], "no-access">;

/** A refused correction: the sentence, its field if one is wrong, and what was typed. */
export interface RefusedCorrection extends Addresses {
	correction: string;
	field: "email" | "recipient" | null;
}

const sentences: Record<AddressCorrectionRefusal, (typed: Addresses) => string> = {
	"invalid-email": ({ email }) => explainEmail(email) ?? "",
	"invalid-recipient": ({ recipient }) => explainEmail(recipient) ?? "",
	"too-late": () =>
		"Il est trop tard pour changer d’adresse\u00a0: votre commande est livrée ou terminée. Écrivez-nous si vous n’avez rien reçu.",
	unchanged: () => "Ce sont déjà les adresses de votre commande.",
	limited: () => "Trop de corrections aujourd’hui. Écrivez-nous\u00a0: nous corrigerons l’adresse.",
};

/** The answer to a customer whose correction is refused. */
export const describeRefusedCorrection = (code: AddressCorrectionRefusal, typed: Addresses): RefusedCorrection => ({
	...typed,
	correction: sentences[code](typed),
	field: code === "invalid-email" ? "email" : code === "invalid-recipient" ? "recipient" : null,
});

/** Which addresses of an order a customer has just corrected; `resent`, `own`: what was delivered is sent to a second one too, or to their own. */
export type CorrectedAddresses = "email" | "recipient" | "both" | "letter" | "resent" | "own";

const parameter = "corrige";

/** The URL to which a correction redirects: it says what was corrected, and none of the addresses. */
export const toCorrectedUrl = (page: string, corrected: CorrectedAddresses | "invoice") => `${page}?${parameter}=${corrected}`;

/** How long after the correction its notice is shown: a reload or a bookmark must not repeat « vient de partir ». */
const noticeMinutes = 2;

/** What was corrected before this request, and the oldest instant of a correction whose notice is still shown. */
export const readCorrected = (request: Request, now: Date): { corrected: string | null; since: Date } => ({
	corrected: new URL(request.url).searchParams.get(parameter),
	since: new Date(now.getTime() - noticeMinutes * 60_000),
});

interface CorrectedOrder {
	events: readonly { event_type: string; created_at: string | Date }[];
	/** The customer's address, then the second one if there is one. */
	sentTo: readonly string[];
	/** The lines of the letter's address; null for an order by e-mail. */
	letter: readonly string[] | null;
	/** It is one of several, or the notice is about all of them. */
	several: boolean;
	now: Date;
}

/**
 * The notice of a correction, for the page to which a correction redirected.
 * @returns null when nothing was corrected just now.
 */
export function describeCorrected(
	request: Request,
	{ events, sentTo, letter, several, now }: CorrectedOrder,
): CorrectedNoticeProps["notice"] {
	const { corrected, since } = readCorrected(request, now);
	const isRecent = events.some(({ event_type, created_at }) => event_type === "address_corrected" && new Date(created_at) >= since);
	if (corrected === null || corrected === "invoice" || !isRecent) return null;
	const [email, recipient] = sentTo;
	if (corrected === "resent" || corrected === "own")
		return {
			title: several ? "Extraits renvoyés." : "Extrait renvoyé.",
			sentences: [
				`${several ? "Ils viennent" : "Il vient"} de partir à ${recipient ?? email}.`,
				...(corrected === "own" && recipient ? ["Les prochains e-mails de cette commande iront à cette adresse."] : []),
			],
		};
	const title = "Adresse corrigée.";
	if (corrected === "letter") return letter && { title, sentences: [`Votre courrier partira à\u00a0: ${letter.join(", ")}.`] };
	const sentences = [
		...(corrected === "recipient" ? [] : [`La confirmation vient de partir à ${email}. L’ancienne adresse n’ouvre plus la commande.`]),
		...(corrected === "email"
			? []
			: several
				? [recipient ? `Les extraits sont envoyés aussi à ${recipient}.` : `Les extraits ne sont envoyés qu’à ${email}.`]
				: [recipient ? `L’extrait est envoyé aussi à ${recipient}.` : `L’extrait n’est envoyé qu’à ${email}.`]),
	];
	return { title, sentences };
}
