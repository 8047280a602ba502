import { fold, memoize, namesPerson, toPlainLine } from "./plain-text.ts";

/**
 * Natures of judgments and filings (field jugement.nature). Sources: rules of the State's search of companies
 * (annuaire-entreprises-data-gouv-fr/search-infra, workflows/data_pipelines/bodacc/rule.yml), and notices.
 */
const natures: readonly string[] = [
	"Jugement d'ouverture de liquidation judiciaire",
	"Jugement d'ouverture de liquidation judiciaire simplifiée",
	"Jugement d'extension de liquidation judiciaire",
	"Jugement de conversion en liquidation judiciaire",
	"Jugement de conversion en liquidation judiciaire de la procédure de redressement judiciaire",
	"Jugement de conversion en liquidation judiciaire de la procédure de sauvegarde",
	"Jugement de conversion en liquidation judiciaire de la procédure de sauvegarde financière accélérée",
	"Jugement prononçant la liquidation judiciaire",
	"Jugement prononçant la résolution du plan de redressement",
	"Jugement prononçant la résolution du plan de redressement et la liquidation judiciaire",
	"Jugement prononçant la résolution du plan de sauvegarde",
	"Jugement prononçant la résolution du plan de sauvegarde et la liquidation judiciaire",
	"Jugement prononçant la résolution du plan de sauvegarde et le redressement judiciaire",
	"Jugement prononçant la résolution du plan de sauvegarde accélérée et la liquidation judiciaire",
	"Jugement prononçant la résolution du plan de sauvegarde financière accélérée et la liquidation judiciaire",
	"Jugement prononçant la résolution du plan de cession et la liquidation judiciaire",
	"Jugement prononçant la résolution du plan de traitement de sortie de crise et la liquidation judiciaire",
	"Jugement prononçant la reprise de la procédure de liquidation judiciaire",
	"Jugement mettant fin à la procédure de traitement de sortie de crise et ouvrant une procédure de liquidation judiciaire",
	"Jugement mettant fin à la procédure de traitement de sortie de crise et ouvrant une procédure de redressement judiciaire",
	"Jugement d'ouverture d'une procédure de redressement judiciaire",
	"Jugement d'extension d'une procédure de redressement judiciaire",
	"Jugement de conversion en redressement judiciaire de la procédure de sauvegarde",
	"Jugement de conversion en redressement judiciaire de la procédure de sauvegarde financière accélérée",
	"Jugement d'ouverture d'une procédure de sauvegarde",
	"Jugement d'ouverture d'une procédure de sauvegarde accélérée",
	"Jugement d'ouverture d'une procédure de sauvegarde financière accélérée",
	"Jugement d'extension d'une procédure de sauvegarde",
	"Jugement d'ouverture d'une procédure de traitement de sortie de crise",
	"Jugement arrêtant le plan de cession",
	"Jugement arrêtant le plan de redressement",
	"Jugement arrêtant le plan de sauvegarde",
	"Jugement de plan de redressement",
	"Jugement modifiant le plan de redressement",
	"Jugement modifiant le plan de sauvegarde",
	"Jugement modifiant la date de cessation des paiements",
	"Jugement de clôture pour insuffisance d'actif",
	"Jugement de clôture pour insuffisance d'actif et autorisant la reprise des poursuites individuelles",
	"Jugement de clôture pour extinction du passif",
	"Jugement de clôture de la liquidation des biens pour insuffisance d'actif",
	"Jugement de clôture de la liquidation des biens pour extinction du passif",
	"Jugement de clôture de la procédure de sauvegarde",
	"Jugement de rétractation sur tierce opposition",
	"Jugement de désignation des organes de la procédure",
	"Jugement accordant un délai pour déposer la liste des créances",
	"Arrêt de la cour d'appel infirmant une décision soumise à publicité",
	"Dépôt de l'état des créances",
	"Dépôt de l'état des créances Loi de 1985",
	"Dépôt de l'état des créances et du projet de répartition",
	"Dépôt de l'état de collocation",
	"Dépôt du projet de répartition",
	"Liste des créances nées après le jugement d'ouverture d'une procédure de liquidation judiciaire",
	"Liste des créances nées après le jugement d'ouverture d'une procédure de redressement judiciaire",
	"Autre arrêt de la Cour d'Appel",
	"Autre avis de dépôt",
	"Autre jugement d'ouverture",
	"Autre jugement de clôture",
	"Autre jugement de liquidation des biens",
	"Autre jugement et ordonnance",
	"Autre jugement prononçant",
	"Jugement ouvrant une procédure de conciliation",
	"Jugement homologuant un accord de conciliation",
	"Jugement d'homologation de l'accord",
];

/** Sanctions against a person (folded). Article L. 653-8 of the code of commerce is the ban on managing a company. */
const sanction =
	/\binterdiction (?:de|d'exercer la) (?:gerer|gestion)|\binterdiction de diriger|\bfaillites? personnelles?|\binterdiction (?:prevue )?.{0,20}l\.? ?653-8|\bsanctions? personnelles?|\bbanqueroute/;

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
