import { Temporal } from "temporal-polyfill";
import { hasValidKey, type Siren } from "../companies/siren.ts";

/** Finds the company and the date in the text of an extract. */

const zone = "Europe/Paris";
const blank = "[ \\u00a0\\u202f\\u2009.]";

/**
 * Whether a text contains a SIREN: nine digits, with or without spaces, alone, in the SIRET or in the VAT number.
 * Longer numbers and amounts do not count.
 */
export function containsSiren(text: string, siren: Siren): boolean {
	const [first, second, third] = [siren.slice(0, 3), siren.slice(3, 6), siren.slice(6)];
	const joined = `(?<!\\d)${siren}(?:${blank}?\\d{5})?(?!\\d)`;
	const spaced =
		// more digit groups before or after it belong to a longer number
		`(?<!\\d|(?<!\\d)\\d{1,3}${blank})${first}${blank}${second}${blank}${third}` +
		`(?:${blank}?\\d{5}|${blank}\\d{3}${blank}\\d{2})?(?!\\d|,\\d|${blank}\\d{3}(?!\\d)|\\s?(?:€|EUR))`;
	const vat = `\\bFR ?\\d{2}${blank}?${first}${blank}?${second}${blank}?${third}(?!\\d)`;
	return new RegExp(`${joined}|${spaced}|${vat}`, "iu").test(text);
}

/** Finds the SIREN of the extract's company: after « Immatriculation au RCS, numéro », or else before « R.C.S. ». */
export function findCompanySiren(text: string): string | null {
	const normalized = normalize(text);
	const match =
		/immatriculation au r\.?c\.?s\.?[^\d]{0,30}(\d{3} ?\d{3} ?\d{3})(?!\d)/.exec(normalized) ??
		/(?<!\d)(\d{3} ?\d{3} ?\d{3}) r\.?c\.?s\b/.exec(normalized);
	return match?.[1]?.replaceAll(" ", "") ?? null;
}

const maxSirens = 20;

/** Lists the numbers in a text that are a SIREN by their place and their key, in the order of the text; the first twenty. */
export function listSirens(text: string): string[] {
	const number = new RegExp(`(?:\\bFR ?\\d{2}${blank}?|(?<!\\d))(?=(\\d{3}${blank}?\\d{3}${blank}?\\d{3}))`, "giu");
	const found = new Set<string>();
	for (const { 1: match = "" } of text.matchAll(number)) {
		const siren = match.replace(/\D/g, "") as Siren;
		if (!found.has(siren) && hasValidKey(siren) && containsSiren(text, siren)) found.add(siren);
		if (found.size === maxSirens) break;
	}
	return [...found];
}

const months = ["janv", "fev", "mars", "avr", "mai", "juin", "juil", "aout", "sept", "oct", "nov", "dec"];
const monthName =
	"janv(?:ier)?|fev(?:r(?:ier)?)?|mars|avr(?:il)?|mai|juin|juil(?:let)?|aout|sept(?:embre)?|oct(?:obre)?|nov(?:embre)?|dec(?:embre)?";
const date =
	`(?:(?<day>\\d{1,2})(?:er)? ?(?<month>${monthName})\\.? ?(?<year>\\d{4})` +
	"|(?<day>\\d{1,2}) ?[/.-] ?(?<month>\\d{1,2}) ?[/.-] ?(?<year>\\d{4})" +
	"|(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2}))(?!\\d)" +
	"(?:(?:t|,? ?(?:a )?)(?<hour>\\d{1,2}) ?(?:h|:) ?(?<minute>\\d{2})?(?!\\d))?";
const place = "(?:a [a-z' -]{1,60}?,? ?)?";

/** The labels before the date of issue, by priority. */
const labels = [
	"(?<!statuts )(?<!statuts mis )a jour (?:au|du|le|a la date du)" +
		`|delivree? ${place}le|editee? ${place}le|emise? ${place}le|fait ${place}le` +
		"|date (?:d'edition|de l'edition|de delivrance|d'emission|de l'extrait)|situation au",
	"extrait(?:(?!immatricul|naissance|statuts|depot|compter)[^\\d]){0,80}?\\bdu",
].map((label) => new RegExp(`\\b(?:${label})(?: le| du)? ?:? ?(?:le )?${date}`, "g"));

export interface IssueDate {
	/** If only the day is known, its first instant in Paris. */
	at: Date;
	hasHour: boolean;
}

/** Finds the date of issue in a text; the oldest of several, null without any. */
export function findIssueDate(text: string): IssueDate | null {
	const normalized = normalize(text);
	for (const label of labels) {
		const dates = [...normalized.matchAll(label)].flatMap(({ groups }) => parseIssueDate(groups ?? {}) ?? []);
		if (dates.length > 0) return dates.reduce((oldest, candidate) => (candidate.at < oldest.at ? candidate : oldest));
	}
	return null;
}

function parseIssueDate({ day, month = "", year, hour, minute }: Record<string, string | undefined>): IssueDate | null {
	const monthNumber = /^\d/.test(month) ? Number(month) : months.findIndex((name) => month.startsWith(name)) + 1;
	try {
		const start = Temporal.ZonedDateTime.from(
			{ timeZone: zone, year: Number(year), month: monthNumber, day: Number(day), hour: Number(hour ?? 0), minute: Number(minute ?? 0) },
			{ overflow: "reject" },
		);
		return { at: new Date(start.epochMilliseconds), hasHour: hour !== undefined };
	} catch {
		return null; // 31/02: not a date
	}
}

/** Normalises case, accents and spaces. */
function normalize(text: string): string {
	return text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("’", "'").replace(/\s+/g, " ").toLowerCase();
}
