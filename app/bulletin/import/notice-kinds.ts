import { natures, sanction } from "./judgment-natures.ts";
import { memoize } from "./memoize.ts";
import { fold, namesPerson, toPlainLine } from "./plain-text.ts";

/** The kinds of change that a notice of modification may name, in the order in which they are listed, and what tells each of them. */
const changes: readonly [kind: string, pattern: RegExp][] = [
	["dissolution", /\bdissolution|\bdissou(?:te|dre)\b|\bliquidation amiable/],
	["transmission universelle du patrimoine", /\btransmission universelle/],
	// not « diffusion »
	["fusion ou scission", /\b(?:fusion|scission)|\babsorb(?:e|ant)|\babsorption|\bapport partiel/],
	["dénomination", /\bdenomination|\braison sociale|\bsigle\b/],
	["nom commercial", /\bnom commercial|\benseigne\b/],
	["forme juridique", /\bforme (?:juridique|sociale)|\btransform(?:ation|ee) en\b/],
	["siège", /\bsiege\b|\badresse\b|\btransfert\b|\btransfere/],
	["capital", /(?<!\bmoitie du )\bcapital\b/],
	["capitaux propres", /\bcapitaux propres|\bmoitie du capital/],
	[
		"dirigeants",
		/\badministrat(?:ion|eur|rice)|\bgerant|(?<!location[ -])\bgerance|\bpresiden|\bdirec(?:teur|trice) general|\bdirectoire|\bdirigeant|\brepresentant|\bcommissaire aux comptes|\bconseil de surveillance/,
	],
	["activité", /\bactivite|\bobjet social/],
	["location-gérance", /\blocation[ -]gerance|\bgerant[ -]mandataire/],
	["établissement", /\betablissement/],
	["date de clôture", /\bdate de cloture|\bcloture de l'exercice|\bexercice social/],
	["durée", /\bduree\b/],
];

/** A company's capital as part of its description, not a change. */
const describedCapital = /\bau capital (?:social )?(?:variable )?(?:de|:)/g;

/** The kinds of change that a notice of modification names, joined by commas; null when none is recognised. */
export const findChanges = memoize((description): string | null => {
	const text = fold(description).replace(describedCapital, " ");
	const found = changes.filter(([, pattern]) => pattern.test(text)).map(([kind]) => kind);
	return found.length > 0 ? found.join(", ") : null;
});

/** Kinds of registration and of sale: the first whose pattern is found. */
const registrations: readonly [pattern: RegExp, kind: string][] = [
	[/\btransfert/, "transfert du siège"],
	[/\blocation[ -]gerance/, "location-gérance"],
	[/\b(?:fusion|scission)/, "fusion ou scission"],
	[/\bautre achat/, "autre achat, apport ou attribution"],
	[/\bmise en activite.{0,500}\bachat/, "mise en activité après un achat"],
	[/\bmise en activite/, "mise en activité"],
	[/\bapport d'un etablissement principal/, "apport d’un établissement principal"],
	[/\bapport d'un etablissement/, "apport d’un établissement"],
	[/\bapport\b/, "apport"],
	[/\bachat d'un etablissement principal/, "achat d’un établissement principal"],
	[/\bachat d'un etablissement/, "achat d’un établissement secondaire ou complémentaire"],
	[/\bachat\b|\bvente\b|\bcession\b/, "achat d’un fonds"],
	[/\bcreation d'un etablissement principal/, "création d’un établissement principal"],
	[/\bcreation d'un etablissement/, "création d’un établissement secondaire ou complémentaire"],
	[/\bsans activite/, "sans activité"],
];

export const findRegistrationKind = memoize((category): string | null => {
	const text = fold(category);
	return registrations.find(([pattern]) => pattern.test(text))?.[1] ?? null;
});

/** « Comptes annuels et rapports » → « comptes annuels et rapports » */
export const findAccountsKind = memoize((typeOfFiling): string | null => {
	const text = fold(typeOfFiling);
	const accounts = [
		[/\bannuels\b/, "comptes annuels"],
		[/\bsociaux\b/, "comptes sociaux"],
		[/\bconsolides\b/, "comptes consolidés"],
		[/\bcombines\b/, "comptes combinés"],
	] as const;
	const parts = [
		...accounts.filter(([pattern]) => pattern.test(text)).map(([, kind]) => kind),
		...(/\brapports?\b/.test(text) ? ["rapports"] : []),
	];
	if (parts.length < 2) return parts[0] ?? null;
	return `${parts.slice(0, -1).join(", ")} et ${parts.at(-1)}`;
});

const natureByKey = new Map(natures.map((nature) => [fold(nature), nature]));
const maxUnknownLength = 120;
/** Words with which the natures of judgments and filings begin. */
const judgmentWords = /^(?:jugement|ordonnance|arret|depot|avis|liste|autre|extrait|cloture|decision|plan|declaration|convocation)\b/;

/**
 * The nature of a judgment as printed. One that is not known is refused when it might carry a name: it has to begin as natures do, without
 * digits, titles, or later capitals.
 */
export const findNature = memoize((printed): string | null => {
	const line = toPlainLine(printed);
	const known = natureByKey.get(fold(line));
	if (known !== undefined) return known;
	if (line.length > maxUnknownLength || !judgmentWords.test(fold(line))) return null;
	return /\d/.test(line) || namesPerson(line) || hasLaterCapital(line) ? null : line;
});

/** Whether there is a capital after the first character, as in a name; « Cour d'Appel » and « Loi » may stand. */
const hasLaterCapital = (line: string) => /\p{Lu}/u.test(line.slice(1).replace(/\b(?:Cour|Appel|Loi|Tribunal|Commerce)\b/g, ""));

/** Whether a judgment is a sanction against a person, such as « interdiction de gérer ». */
export const isSanction = (text: string): boolean => sanction.test(fold(text));

/** Whether a judgment takes back another one after a third party opposed it; its notice then cancels that of the other. */
export const isRetraction = (family: string): boolean => fold(family).includes("retractation sur tierce opposition");
