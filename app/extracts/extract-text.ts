import { Temporal } from "temporal-polyfill";
import type { Siren } from "../companies/siren.ts";

/** What the text of an extract says: whose it is, and of when. */

const zone = "Europe/Paris";
const blank = "[ \\u00a0\\u202f\\u2009.]";

/**
 * Whether a text names a SIREN: nine digits, together or by three, alone, in the company's SIRET or in its VAT number.
 * Not: within a longer number, or as an amount.
 */
export function namesSiren(text: string, siren: Siren): boolean {
	const [first, second, third] = [siren.slice(0, 3), siren.slice(3, 6), siren.slice(6)];
	const together = `(?<!\\d)${siren}(?:${blank}?\\d{5})?(?!\\d)`;
	const byThree =
		// a group of one to three digits before, or of three after, makes it part of a longer number
		`(?<!\\d|(?<!\\d)\\d{1,3}${blank})${first}${blank}${second}${blank}${third}` +
		`(?:${blank}?\\d{5}|${blank}\\d{3}${blank}\\d{2})?(?!\\d|,\\d|${blank}\\d{3}(?!\\d)|\\s?(?:€|EUR))`;
	const vat = `\\bFR ?\\d{2}${blank}?${first}${blank}?${second}${blank}?${third}(?!\\d)`;
	return new RegExp(`${together}|${byThree}|${vat}`, "iu").test(text);
}

/** The SIREN that an extract gives as its company's own: after « Immatriculation au RCS, numéro », else before « R.C.S. ». Null: neither. */
export function ownSiren(text: string): string | null {
	const plain = plainText(text);
	const found =
		/immatriculation au r\.?c\.?s\.?[^\d]{0,30}(\d{3} ?\d{3} ?\d{3})(?!\d)/.exec(plain) ??
		/(?<!\d)(\d{3} ?\d{3} ?\d{3}) r\.?c\.?s\b/.exec(plain);
	return found?.[1]?.replaceAll(" ", "") ?? null;
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

/** What stands before the day of issue, in the order of its weight; a later one counts only where no earlier one is found. */
const labels = [
	"(?<!statuts )(?<!statuts mis )a jour (?:au|du|le|a la date du)" +
		`|delivree? ${place}le|editee? ${place}le|emise? ${place}le|fait ${place}le` +
		"|date (?:d'edition|de l'edition|de delivrance|d'emission|de l'extrait)|situation au",
	"extrait(?:(?!immatricul|naissance|statuts|depot|compter)[^\\d]){0,80}?\\bdu",
].map((label) => new RegExp(`\\b(?:${label})(?: le| du)? ?:? ?(?:le )?${date}`, "g"));

export interface IssueDate {
	/** The day's first instant in Paris where only the day is known: an extract is then as old as it can be. */
	at: Date;
	hourKnown: boolean;
}

/** When an extract says that it was issued; the oldest where it says several, null where it does not. */
export function findIssueDate(text: string): IssueDate | null {
	const plain = plainText(text);
	for (const label of labels) {
		const dates = [...plain.matchAll(label)].flatMap(({ groups }) => toInstant(groups ?? {}) ?? []);
		if (dates.length > 0) return dates.reduce((oldest, one) => (one.at < oldest.at ? one : oldest));
	}
	return null;
}

function toInstant({ day, month = "", year, hour, minute }: Record<string, string | undefined>): IssueDate | null {
	const numbered = /^\d/.test(month) ? Number(month) : months.findIndex((name) => month.startsWith(name)) + 1;
	try {
		const start = Temporal.ZonedDateTime.from(
			{ timeZone: zone, year: Number(year), month: numbered, day: Number(day), hour: Number(hour ?? 0), minute: Number(minute ?? 0) },
			{ overflow: "reject" },
		);
		return { at: new Date(start.epochMilliseconds), hourKnown: hour !== undefined };
	} catch {
		return null; // 31/02: not a date
	}
}

/** Lower case, without accents, one blank between words. */
function plainText(text: string): string {
	return text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("’", "'").replace(/\s+/g, " ").toLowerCase();
}
