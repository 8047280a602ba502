/** The patterns of company and date in the text of an extract. */

/** What stands between the digits of a number in a tidy text. */
export const blank = "[ .\\u00b7\\u2010-\\u2015-]";

/** Nine digits, also those of a SIRET or set apart. */
const number = `(?<!\\d)(\\d(?:${blank}{0,2}\\d){8})(?=(?:${blank}?\\d{5})?(?!\\d))`;
const rcs = "(?<![a-z])r\\.? ?c\\.? ?s(?![a-z])";

/**
 * The ways in which an extract says which company it is of: its registration with a label, the number beside « R.C.S. », and the European
 * number (Regulation (EU) 2021/1042: country, register, number; « FR7501.552032534 »). The first valid number of each counts. A president
 * or an auditor has them too (C. com. R123-54): only what all ways agree on is certain. A file may have the extracts of several companies:
 * of each heading « Identification » the number counts.
 */
export const registrationPatterns: readonly (readonly RegExp[])[] = [
	[
		`immatricul(?:ation|ee?) [^\\d]{0,60}?(?:${rcs}|registre du commerce)[^\\d]{0,40}?${number}`,
		`(?:numero|n ?[°o]\\.?) (?:d'|de )?(?:immatriculation|identification)[^\\d]{0,20}?${number}`,
	],
	[`${number} ?[(,-]? ?${rcs}`, `${rcs}[^\\d]{0,40}?${number}`],
	[`(?<![a-z])fr[ .-]?(?:rcs)?[ .-]?\\d{4}[ .-]{1,3}${number}`],
].map((patterns) => patterns.map((pattern) => new RegExp(pattern, "dg")));

/** The first of these labels is the company's own: a number that is not beside it may be a president's. */
export const ownLabel: RegExp = new RegExp(
	`(?:immatriculation [^\\d]{0,30}?${rcs}[^\\d]{0,20}?(?:numero|n ?[°o])` +
		`|(?:numero|n ?[°o]\\.?) (?:unique )?(?:d'|de )?(?:immatriculation|identification|siren|${rcs}))[^\\d]{0,40}`,
);
export const numberAtStart: RegExp = new RegExp(`^${number}`);

export const identificationPattern: RegExp = new RegExp(`identification de la personne [^\\d]{0,150}?${number}`, "dg");

export const months = ["janv", "fev", "mars", "avr", "mai", "juin", "juil", "aout", "sept", "oct", "nov", "dec"];
const monthName =
	"janv(?:ier)?|fev(?:r(?:ier)?)?|mars|avr(?:il)?|mai|juin|juil(?:let)?|aout|sept(?:embre)?|oct(?:obre)?|nov(?:embre)?|dec(?:embre)?";
const date =
	`(?:(?<day>\\d{1,2})(?:er)? ?(?<month>${monthName})\\.? ?(?<year>\\d{4})` +
	"|(?<day>\\d{1,2}) ?[/.-] ?(?<month>\\d{1,2}) ?[/.-] ?(?<year>\\d{4}|\\d{2})" +
	"|(?<year>\\d{4})[/-](?<month>\\d{2})[/-](?<day>\\d{2}))(?!\\d)" +
	"(?:(?:t|,? ?(?:a )?)(?<hour>\\d{1,2}) ?(?:h|:) ?(?<minute>\\d{2})?(?!\\d))?";
const weekday = "(?:(?:lun|mar|mercre|jeu|vendre|same)di |dimanche )?";
const place = "(?:(?:a|au|par) [a-z' -]{1,60}?,? ?)?";

const otherPapers =
	"carte |titre de sejour|passeport|agrement|licence|autorisation|permis|diplome|brevet|habilitation|certificat de capacite|recepisse" +
	"|(?<![a-z])actes? |statuts|proces-verbal|(?<![a-z])bail |contrat|mandat|inventaire|testament|emprunt|obligations";

/** The labels before the date of issue, by priority. */
export const issueDateLabels = [
	// of the extract, not of statutes, an object or accounts; nor when a card or a permit was issued
	"(?<!(?:statuts|comptes|liste[^.;:]{0,40}) |(?<!extrait )mise?s? )a jour (?:au|du|le|(?:a la|en) date du)" +
		`|(?=(?:deliv|edit|emis|fait))(?<!(?:${otherPapers})[^.;:]{0,60}(?: ?: ?)?)(?:delivree?|editee?|emise?|fait) ${place}le` +
		"|date (?:d'edition|de l'edition|de delivrance|d'emission|de l'extrait)|(?<!(?<![a-z])(?:une|la|sa) )situation au",
	"extrait(?:(?!immatricul|naissance|statuts|depot|compter)[^\\d]){0,80}?\\bdu",
].map((label) => new RegExp(`\\b(?:${label})(?: le| du)? ?:? ?(?:le )?${weekday}(?<when>${date})`, "dg"));

/** Writes a text with usual letters, digits and blanks: compatible forms are replaced, accents, soft hyphens and invisible signs left out. */
export const tidy = (text: string): string =>
	text
		.normalize("NFKD")
		.replace(/[\p{M}\p{Cf}]/gu, "")
		.replaceAll("’", "'")
		.replace(/[^\S\n]+/g, " ");

/** Tidies a text, on one line and in small letters. */
export const normalize = (text: string): string => tidy(text).replace(/\s+/g, " ").toLowerCase();

/** Normalises a text as `normalize`, and keeps for each character the index of its source. */
export function normalizeWithSources(text: string): { text: string; sources: number[] } {
	let normalized = "";
	const sources: number[] = [];
	for (const { 0: part, index } of text.matchAll(/\s+|[\s\S]/gu))
		for (const letter of normalize(part)) {
			normalized += letter;
			for (let unit = 0; unit < letter.length; unit++) sources.push(index);
		}
	return { text: normalized, sources };
}
