import type { Siren } from "../companies/siren.ts";
import { findIssueDate, namesSiren, ownSiren } from "./extract-text.ts";
import { inspectPdf } from "./inspect-pdf.server.ts";
import { mostPages } from "./pdf-summary.ts";

export const largestExtract = 10 * 2 ** 20; // bytes

/** What the operator answers for, having looked at the file. */
export interface Confirmations {
	/** It may be delivered although it is more than a day old. */
	old?: boolean;
	/** Its text cannot be read by a machine; it is the right company's. */
	unreadable?: boolean;
	/** When it was issued, where its text does not say so. */
	issuedAt?: Date;
}

/** Why an extract is refused, for the operator. */
const reasons = {
	empty: "Ce fichier est vide.",
	"too-large": "Ce fichier dépasse 10 Mo.",
	"not-pdf": "Ce fichier n’est pas un PDF.",
	truncated: "Ce PDF est incomplet : sa fin manque. Téléchargez-le à nouveau.",
	"more-than-pdf": "Ce fichier est un PDF suivi d’autre chose, par exemple une archive.",
	damaged: "Ce PDF ne s’ouvre pas : il est endommagé.",
	encrypted: "Ce PDF est chiffré ou protégé par un mot de passe.",
	heavy: "Ce PDF demande trop de temps ou de mémoire pour être lu.",
	"no-page": "Ce PDF n’a pas de page.",
	"too-many-pages": `Ce PDF a plus de ${mostPages} pages.`,
	script: "Ce PDF contient du JavaScript.",
	"automatic-action": "Ce PDF déclenche une action automatique.",
	launch: "Ce PDF peut ouvrir un autre fichier ou un programme.",
	attachment: "Ce PDF contient une pièce jointe.",
	media: "Ce PDF contient du son, de la vidéo ou un autre contenu actif.",
	"form-sending": "Ce PDF contient un formulaire qui envoie ou charge des données.",
	xfa: "Ce PDF contient un formulaire XFA.",
	"hidden-objects": "Ce PDF cache des objets dans un format illisible.",
	inflation: "Ce PDF se décompresse démesurément.",
	unreadable: "Le texte de ce PDF n’est pas lisible (document numérisé). Vérifiez le SIREN et la date, puis confirmez.",
	"other-company": "Cet extrait est celui d’une autre société.",
	"no-siren": "Cet extrait ne porte pas le SIREN commandé.",
	specimen: "Ce document est un spécimen sans valeur.",
	undated: "La date de délivrance n’a pas été trouvée. Indiquez-la.",
	future: "Cet extrait porte une date à venir.",
	old: "Cet extrait a plus d’un jour. Confirmez qu’il convient.",
} as const;

export type ExtractProblem = keyof typeof reasons;

/** Problems that the operator may answer for, and how. */
const answers: Partial<Record<ExtractProblem, keyof Confirmations>> = { unreadable: "unreadable", undated: "issuedAt", old: "old" };

export type ExtractCheck =
	| { ok: true; issuedAt: Date; warnings: string[] }
	/** `confirm`: which confirmation would let it pass; null when none does. */
	| { ok: false; problem: ExtractProblem; reason: string; confirm: keyof Confirmations | null };

const day = 86_400_000; // milliseconds
const clockSkew = 300_000; // milliseconds by which the greffe's clock may be ahead of ours

/**
 * Checks an uploaded extract before anything is done with it: that it is one whole PDF that only shows pages, names the ordered company
 * (docs/rules.md, R22), and was issued less than a day ago. Where it bears a day without an hour, it counts from that day's start in Paris: today's passes.
 * @throws when the inspector of PDFs does not work.
 */
export async function checkExtract(
	bytes: Uint8Array,
	{ siren, now, specimens = false, confirmed = {} }: { siren: Siren; now: Date; specimens?: boolean; confirmed?: Confirmations },
): Promise<ExtractCheck> {
	const outside = problemOutside(bytes);
	if (outside) return refuse(outside);
	const facts = await inspectPdf(bytes);
	if (facts === null) return refuse("heavy");
	if (facts.encrypted) return refuse("encrypted");
	const [finding] = facts.findings;
	if (finding) return refuse(finding);
	if (!facts.opens) return refuse("damaged");
	if (facts.pages < 1) return refuse("no-page");
	if (facts.pages > mostPages) return refuse("too-many-pages");
	return checkExtractText(facts.text, { siren, now, specimens, confirmed });
}

/** What can be seen without opening it. */
function problemOutside(bytes: Uint8Array): ExtractProblem | null {
	if (bytes.byteLength === 0) return "empty";
	if (bytes.byteLength > largestExtract) return "too-large";
	const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (!/^%PDF-[12]\.\d/.test(file.toString("latin1", 0, 8))) return "not-pdf";
	const end = file.lastIndexOf("%%EOF");
	if (end < 0 || !file.includes("startxref")) return "truncated";
	// a ZIP is read from its end: its directory may hide before ours
	if (!/^[\s\0]*$/.test(file.toString("latin1", end + 5)) || file.subarray(-66_000).includes("PK\x05\x06")) return "more-than-pdf";
	return null;
}

/** What the text of a whole PDF says: whose it is, and of when. */
export function checkExtractText(
	text: string,
	{ siren, now, specimens, confirmed }: { siren: Siren; now: Date; specimens: boolean; confirmed: Confirmations },
): ExtractCheck {
	const warnings: string[] = [];
	const readable = (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= 50;
	if (readable) {
		if (!specimens && /SPECIMEN\s+—\s+SANS VALEUR/.test(text)) return refuse("specimen");
		const own = ownSiren(text);
		if (own !== null && own !== siren) return refuse("other-company");
		if (!namesSiren(text, siren)) return refuse("no-siren");
	} else {
		if (!confirmed.unreadable) return refuse("unreadable");
		warnings.push("Le texte n’est pas lisible : le SIREN et la date sont ceux que vous avez vérifiés.");
	}

	const found = findIssueDate(text);
	const issuedAt = found?.at ?? confirmed.issuedAt;
	if (issuedAt === undefined) return refuse("undated");
	if (issuedAt.getTime() > now.getTime() + clockSkew) return refuse("future");
	if (!found) warnings.push("La date de délivrance est celle que vous avez indiquée.");
	else if (!found.hourKnown) warnings.push("L’extrait porte un jour sans heure : son âge est compté depuis minuit.");
	if (now.getTime() - issuedAt.getTime() >= day) {
		if (!confirmed.old) return refuse("old");
		warnings.push("Cet extrait a plus d’un jour : vous avez confirmé qu’il convient.");
	}
	return { ok: true, issuedAt, warnings };
}

const refuse = (problem: ExtractProblem): ExtractCheck => ({
	ok: false,
	problem,
	reason: reasons[problem],
	confirm: answers[problem] ?? null,
});
