/** The patterns of company and date in the text of an extract. Without imports: the confined program page-drawer reads this file too. */

/** A blank inside a number. */
export const blank = "[ \\u00a0\\u202f\\u2009.]";

/** The SIREN of the extract's company in a normalised text, by priority. */
export const companySirenPatterns = [
	/immatriculation au r\.?c\.?s\.?[^\d]{0,30}(\d{3} ?\d{3} ?\d{3})(?!\d)/d,
	/(?<!\d)(\d{3} ?\d{3} ?\d{3}) r\.?c\.?s\b/d,
];

export const months = ["janv", "fev", "mars", "avr", "mai", "juin", "juil", "aout", "sept", "oct", "nov", "dec"];
const monthName =
	"janv(?:ier)?|fev(?:r(?:ier)?)?|mars|avr(?:il)?|mai|juin|juil(?:let)?|aout|sept(?:embre)?|oct(?:obre)?|nov(?:embre)?|dec(?:embre)?";
const date =
	`(?:(?<day>\\d{1,2})(?:er)? ?(?<month>${monthName})\\.? ?(?<year>\\d{4})` +
	"|(?<day>\\d{1,2}) ?[/.-] ?(?<month>\\d{1,2}) ?[/.-] ?(?<year>\\d{4})" +
	"|(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2}))(?!\\d)" +
	"(?:(?:t|,? ?(?:a )?)(?<hour>\\d{1,2}) ?(?:h|:) ?(?<minute>\\d{2})?(?!\\d))?";
const place = "(?:a [a-z' -]{1,60}?,? ?)?";

/** The labels before the date of issue, by priority. */
export const issueDateLabels = [
	"(?<!statuts )(?<!statuts mis )a jour (?:au|du|le|a la date du)" +
		`|delivree? ${place}le|editee? ${place}le|emise? ${place}le|fait ${place}le` +
		"|date (?:d'edition|de l'edition|de delivrance|d'emission|de l'extrait)|situation au",
	"extrait(?:(?!immatricul|naissance|statuts|depot|compter)[^\\d]){0,80}?\\bdu",
].map((label) => new RegExp(`\\b(?:${label})(?: le| du)? ?:? ?(?:le )?(?<when>${date})`, "dg"));

/** Normalises case, accents and spaces. */
export function normalize(text: string): string {
	return text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("’", "'").replace(/\s+/g, " ").toLowerCase();
}

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
