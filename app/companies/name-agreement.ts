import type { Company } from "./company.ts";
import { isFormWord, removeFormWords } from "./search/lexemes.ts";
import { listJoinedSpellings, listTokenVariants, tokenize } from "./search/tokens.ts";
import { typoLikelihood } from "./search/typos.ts";

type NamedCompany = Pick<Company, "name" | "acronym" | "tradeNames" | "establishments" | "address" | "city" | "greffe" | "legalFormInFull">;

/** Words that many companies have in their names: alone they say nothing. */
const genericWords = new Set(
	"banque france francaise francais group groupe holding international europe services service conseil consulting societe ste compagnie cie entreprise etablissements ets association invest investissements participations developpement gestion management distribution production solutions industrie industries immobilier immobiliere transport transports batiment travaux pere fils frere freres soeurs associes cabinet agence atelier maison garage boulangerie restaurant cafe bar hotel pharmacie coiffure plomberie electricite menuiserie maconnerie peinture nettoyage formation informatique technologies energie medical sante auto automobile automobiles paris lyon marseille".split(
		" ",
	),
);

/** What stands beside a number and names nobody: forms, addresses, letterheads, mails, notes of files, and persons. */
const otherWords = new Set(
	[
		"anonyme responsabilite limitee simplifiee actions action unipersonnelle civile civil conseil administration surveillance directoire collectif",
		"representee represente president presidente gerant gerante directeur directrice monsieur madame mme mr m activite activites sieges sociaux",
		"avec sans pour par chez dans sur un une en et de du des le la les l d au aux a dont est son ses nom",
		"rue avenue av bd boulevard place chemin route allee impasse quai cours zone za zi bp cedex arrondissement ile",
		"tel telephone fax mail www http https com fr ape naf iban bic lei greffe tribunal gestion duree ans mois moins date",
		"bonjour merci cordialement svp je nous vous mon ma mes notre nos votre vos besoin voudrais souhaite souhaitons voici veuillez demande",
		"dossier dossiers ref reference references affaire commande facture urgent ok oui non fait faire confirmer verifier na null undefined",
		"actif active radie radiee recent recente ancien ancienne ex filiale mere prospect locataire bailleur",
		"extrait extraits exemplaire exemplaires copie copies original originaux",
	].flatMap((line) => line.split(" ")),
);

/** In letters; shorter words and beginnings say too little. */
const fewestLetters = 4;

/**
 * Whether words beside a company's number may be its name: one of them is in its name, its acronym or a trade name, with a typing error at
 * most; or they stand for them as initials do. Words that name nobody do not count, nor do single letters, « B 552 032 534 », and the company's
 * own place.
 * @param words as `tokenize` writes them. @returns true for a company whose name is withheld.
 */
export function mayBeNameOf(words: readonly string[], company: NamedCompany): boolean {
	if (company.name === null) return true;
	const place = new Set(
		tokenize(`${company.address ?? ""} ${company.city ?? ""} ${company.greffe ?? ""} ${company.legalFormInFull ?? ""} France`),
	);
	const meant = words.filter((word) => word.length > 1 && !isFormWord(word) && !otherWords.has(word));
	const significant = meant.filter((word) => !genericWords.has(word));
	const names = [company.name, company.acronym, ...company.tradeNames, ...company.establishments.list.map(({ tradeName }) => tradeName)];
	const typed = significant.length > 0 ? significant : meant;
	const typedWhole = [meant.join(""), ...listInitials(words)];
	const isSaid = (name: string) => {
		const [written, writtenWhole] = [listSpellings(name), listWholes(name)];
		const isWord = typed.some((word) => written.some((other) => isAlike(word, other) || writtenWhole.includes(word)));
		return isWord || typedWhole.some((whole) => written.includes(whole) || writtenWhole.some((other) => isMistyped(whole, other)));
	};
	return meant.length === 0 || names.some((name) => name !== null && isSaid(name)) || meant.every((word) => place.has(word));
}

/** The words of a name in all spellings. */
const listSpellings = (name: string): string[] => [
	...listTokenVariants(name),
	...[...listJoinedSpellings(name).values()].flatMap((spellings) => [...spellings]),
];

/** All words of a name as one, and its initials. */
const listWholes = (name: string): string[] => [removeFormWords(tokenize(name)).join(""), ...listInitials(tokenize(name))];

/** « Société nationale des chemins de fer » → sncf, and sndcdf; a single word has none. */
function listInitials(words: readonly string[]): string[] {
	const lists = [words, words.filter((word) => !otherWords.has(word))].filter((list) => list.length > 1);
	return lists.map((list) => list.map((word) => word.slice(0, 1)).join(""));
}

/** Whether one word is the other, its beginning, or the other with a typing error. */
function isAlike(word: string, other: string): boolean {
	const [short, long] = word.length < other.length ? [word, other] : [other, word];
	return (short.length >= fewestLetters && long.startsWith(short)) || isMistyped(word, other);
}

const isMistyped = (word: string, other: string): boolean =>
	word === other || (Math.min(word.length, other.length) >= fewestLetters && typoLikelihood(word, other) > 0);
