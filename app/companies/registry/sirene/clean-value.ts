/** Returns null for empty and for withheld values ([ND]). */
export function cleanValue(value: string): string | null {
	if (value === "") return null;
	const trimmed = value.trim();
	return trimmed === "" || trimmed.includes("[ND]") ? null : trimmed;
}

const sort = "(NOMS?( COMMERCIA(L|UX))?|ENSEIGNES?|SIGLES?|DENOMINATIONS?( USUELLES?| COMMERCIALES?)?|PSEUDONYMES?)";
const what = `(${sort}( ET( DU| DE L)? ${sort})?)`;

/**
 * What is written where there is no name, in capitals without accents and marks. INSEE writes « SUPPRESSION DU NOM COMMERCIAL » when a company
 * gives up its trade name (annuaire-entreprises-data-gouv-fr/search-infra, pull request 399); the rest is typed by those who declare.
 */
const noName = [
	`SUPPRESSIONS?( (DU|DE|DE L|DE LA|DES|D))?( ${what})?( DE (L ETABLISSEMENT|LA SOCIETE))?( (AU|LE)( \\d+)+)?`,
	`(ABANDON|RADIATION|ANNULATION|RETRAIT)( (DU|DE|DE L|DE LA|DES))? ${what}`,
	`${what} (SUPPRIM|ANNUL|ABANDONN|RADI|RETIR)(E|EE|ES|EES)`,
	"SUPPRIM(E|EE|ES|EES)( (AU|LE|DEPUIS LE)( \\d+)+)?",
	`(PAS|SANS|AUCUNE?|NEANT|ABSENCE)( (DE|D))?( ${what}| OBJET)?`,
	`(${what} )?NEANT( NEANT)*`,
	"(NON|PAS) (RENSEIGN|COMMUNIQU|DEFINI|DECLAR|PRECIS|DIFFUS|APPLICABLE)(E|EE|ES|EES)?",
	"INCONNUE?",
	"IDEM",
	"NULL",
	"X{3,}",
	"0*",
];
const noNamePattern = new RegExp(`^(${noName.join("|")})$`);

/** Returns a trade name, sign or acronym as cleanValue does; null also for what stands where there is none: « NEANT », « N/A », « - ». */
export function cleanName(value: string): string | null {
	const name = cleanValue(value);
	if (name === null || /^N\/[ACR]$/i.test(name)) return null;
	const words = name
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.toUpperCase()
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.trim();
	return noNamePattern.test(words) ? null : name;
}
