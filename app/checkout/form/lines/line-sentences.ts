import { type CompanyPreview, formatHeadOffice } from "../../../companies/company.ts";
import { type CompanyNotice, noExtractRefusal } from "../../../companies/company-notices.ts";
import { formatSiren } from "../../../companies/siren.ts";
import type { CheckedLine, LineProblem, LineRemark } from "./checked-line.ts";
import { maxPlaces, maxReferenceLength } from "./line-fields.ts";

/** Why a line is not ordered, and what to do. */
export function describeProblem(problem: LineProblem): string {
	switch (problem.code) {
		case "unknown-siren":
			return "Aucune entreprise n’a ce SIREN.";
		case "unknown-name":
			return "Aucune entreprise trouvée sous ce nom. Essayez son SIREN.";
		case "wrong-key":
			return "Ce numéro n’est pas un SIREN\u00a0: vérifiez ses chiffres.";
		case "wrong-length":
			return `Ce numéro a ${problem.digits} chiffres. Un SIREN en a 9, un SIRET 14.`;
		case "shortened":
			return "Votre tableur a abrégé ce numéro. Recopiez ses chiffres.";
		case "empty":
			return "Indiquez l’entreprise.";
		case "ambiguous":
			return "Plusieurs entreprises correspondent\u00a0: choisissez.";
		case "all-similar":
			return "Aucune entreprise ne porte exactement ce nom. Choisissez, ou corrigez.";
		case "similar":
			return "Une entreprise a un nom proche\u00a0: choisissez-la si c’est la bonne.";
		case "other-name":
			return `Ce numéro appartient à ${problem.company}, et le nom à côté n’est pas le sien\u00a0: choisissez.`;
		case "no-extract":
			return noExtractRefusal;
		case "duplicate":
			return `Déjà demandée à la ligne ${problem.of}. Pour un second extrait, donnez à cette ligne une autre référence.`;
		case "long-reference":
			return `Cette référence est trop longue\u00a0: ${maxReferenceLength} caractères au plus.`;
	}
}

export function describeRemark(remark: LineRemark): string {
	switch (remark.code) {
		case "again":
			return `Cette entreprise est aussi à la ligne ${remark.of}\u00a0: vous recevrez un extrait par ligne.`;
		case "closed-establishment":
			return "L’établissement de ce SIRET est fermé. L’extrait est celui de l’entreprise.";
		case "by-name":
			return "Trouvée par son nom. Est-ce la bonne\u00a0?";
	}
}

/** A company that may be meant: « CARREFOUR – BEAUVAIS DIS, 419 629 415, 60000 Beauvais », with the trade name that it was found by. */
export function describeChoice({ matchedName, name, siren, headOffice }: CompanyPreview): string {
	const names = matchedName ? `${matchedName} – ${name}` : name;
	return [names, formatSiren(siren), formatHeadOffice({ headOffice })].filter(Boolean).join(", ");
}

/** The same doubts again, before the payment. */
export const repeatDoubts = (remarks: readonly LineRemark[]): CompanyNotice[] =>
	remarks.flatMap((remark) =>
		remark.code === "by-name"
			? { code: remark.code, title: "Trouvée par son nom", text: "Est-ce la bonne entreprise\u00a0?" }
			: remark.code === "again"
				? { code: remark.code, title: `Aussi à la ligne ${remark.of}`, text: "Vous recevrez un extrait par ligne." }
				: [],
	);

/** Why a form orders nothing. @param count its lines. */
export function describeNothingOrdered(count: number): string {
	if (count === 0) return "Ajoutez au moins une entreprise.";
	if (count === 1) return "Cette ligne ne peut pas être commandée\u00a0: corrigez-la, ou ajoutez une autre entreprise.";
	return "Aucune ligne ne peut être commandée\u00a0: corrigez-les, ou ajoutez d’autres entreprises.";
}

/** What a list says above its form of some of its lines, from the server: the scripts of all forms are without these sentences. */
export interface ListMessage {
	title: string;
	/** Before the links to the lines. */
	text: string;
	/** The lines that it links to. */
	places: readonly number[];
	/** « … » where it concerns more lines. */
	more: string;
	/** The form did not go on because of it: it takes the focus. */
	stopped: boolean;
}

const toMessage = (places: readonly number[], message: Pick<ListMessage, "title" | "text" | "stopped">): ListMessage[] =>
	places.length === 0 ? [] : [{ ...message, places: places.slice(0, maxPlaces), more: places.length > maxPlaces ? "…" : "" }];

/** @param places of the lines that were sent to the payment before the page had shown what they order. */
export const describeUnseen = (places: readonly number[]): ListMessage[] =>
	toMessage(places, {
		title: "Vérifiez les lignes que vous venez d’ajouter ou de modifier",
		text: "Si ce que le registre en dit est exact, continuez vers le paiement. À lire",
		stopped: true,
	});

/** Which lines of a list are not ordered. */
export function describeWrong(lines: readonly CheckedLine[]): ListMessage[] {
	const wrong = lines.filter(({ problem }) => problem !== null).map(({ place }) => place);
	const [they, correct, without] =
		wrong.length > 1 ? ["ne seront pas commandées", "Corrigez-les", "elles"] : ["ne sera pas commandée", "Corrigez-la", "elle"];
	return toMessage(wrong, {
		title: `${formatLineCount(wrong.length)} sur ${lines.length} ${they}.`,
		text: wrong.length < lines.length ? `${correct} ou continuez sans ${without}` : correct,
		stopped: false,
	});
}

/** The lines with which a list went on to the payment, and that are not ordered. @returns null without any. */
export const describeNotOrdered = (count: number): string | null =>
	count === 0 ? null : `${formatLineCount(count)} de votre liste ${count > 1 ? "ne sont pas commandées" : "n’est pas commandée"}.`;

/** « 1 ligne », « 11 lignes » */
const formatLineCount = (count: number): string => `${count} ligne${count > 1 ? "s" : ""}`;

const namePlaces = (places: readonly number[]): string => `${places.slice(0, maxPlaces).join(", ")}${places.length > maxPlaces ? "…" : ""}`;

export const chooseService = "Choisissez un service.";

/** Asks for the service of lines that have none. @param places theirs. @param count all lines that can be ordered. */
export function askForService(places: readonly number[], count: number): string {
	if (places.length === count) return chooseService;
	return `Choisissez un service commun, ou un service ${places.length > 1 ? "aux lignes" : "à la ligne"} ${namePlaces(places)}.`.replace(
		"….",
		"…",
	);
}

/** Where to choose another service than a closed one. @param closed the lines of closed services. @param first the one that is told. */
export function describeOtherService(closed: readonly CheckedLine[], first: CheckedLine): string {
	if (first.line.service === "") return "Choisissez un autre service.";
	const places = closed.filter(({ line }) => line.service === first.line.service).map(({ place }) => place);
	if (places.length === 1) return `Choisissez-en un autre à la ligne ${first.place}.`;
	return `Choisissez-en un autre aux lignes ${namePlaces(places)}.`.replace("….", "…");
}
