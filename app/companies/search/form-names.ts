import { removeFormWords } from "./lexemes.ts";

/** Legal forms as invoices and statutes write them out, in words as `tokenize` makes them; longer ones before those that they contain. */
const fullNames: readonly (readonly [name: string, form: string])[] = [
	["societe par actions simplifiee unipersonnelle", "sasu"],
	["societe par actions simplifiee a associe unique", "sasu"],
	["societe par actions simplifiee", "sas"],
	["societe a responsabilite limitee unipersonnelle", "eurl"],
	["societe a responsabilite limitee a associe unique", "eurl"],
	["societe a responsabilite limitee", "sarl"],
	["entreprise unipersonnelle a responsabilite limitee", "eurl"],
	["entreprise individuelle a responsabilite limitee", "eirl"],
	["exploitation agricole a responsabilite limitee", "earl"],
	["societe exercice liberal a responsabilite limitee", "selarl"],
	["societe exercice liberal par actions simplifiee", "selas"],
	["societe anonyme", "sa"],
	["societe europeenne", "se"],
	["societe en nom collectif", "snc"],
	["societe en commandite par actions", "sca"],
	["societe en commandite simple", "scs"],
	["societe civile immobiliere", "sci"],
	["societe civile professionnelle", "scp"],
	["societe civile de moyens", "scm"],
	["societe civile exploitation agricole", "scea"],
	["societe cooperative et participative", "scop"],
	["societe cooperative de production", "scop"],
	["societe cooperative interet collectif", "scic"],
	["groupement interet economique", "gie"],
	["groupement agricole exploitation en commun", "gaec"],
];

/** Abbreviates legal forms that are written out: « danone société anonyme » → danone, sa. */
export function abbreviateForms(words: readonly string[]): readonly string[] {
	let text = ` ${words.join(" ")} `;
	for (const [name, form] of fullNames) text = text.replaceAll(` ${name} `, ` ${form} `);
	return text.trim().split(" ");
}

/** The words of a name without its legal form, abbreviated or not, unless there are no others. */
export const removeForms = (words: readonly string[]): readonly string[] => removeFormWords(abbreviateForms(words));

/** Other readings of words that find nothing, the closest first: with legal forms abbreviated, and without them, as names often lack theirs. */
export const listFormReadings = (words: readonly string[]): readonly (readonly string[])[] =>
	[abbreviateForms(words), removeForms(words)].filter((list, place, lists) => list.length < (lists[place - 1] ?? words).length);
