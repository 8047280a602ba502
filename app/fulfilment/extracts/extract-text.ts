import { Temporal } from "temporal-polyfill";
import { hasValidKey, parseSiren, type Siren } from "../../companies/siren.ts";
import { blank, companySirenPatterns, issueDateLabels, months, normalize } from "./extract-patterns.ts";

/** Finds the company and the date in the text of an extract. */

const zone = "Europe/Paris";

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
	const match = companySirenPatterns.map((pattern) => pattern.exec(normalize(text))).find((found) => found !== null);
	return match?.[1]?.replaceAll(" ", "") ?? null;
}

const maxSirens = 100;

/** Lists the numbers in a text that are a SIREN by their place and their key, in the order of the text; the first hundred. */
export function listSirens(text: string): string[] {
	const number = new RegExp(`(?:\\bFR ?\\d{2}${blank}?|(?<!\\d))(?=(\\d{3}${blank}?\\d{3}${blank}?\\d{3}))`, "giu");
	const found = new Set<string>();
	for (const { 1: match = "" } of text.matchAll(number)) {
		const siren = parseSiren(match.replace(/\D/g, ""));
		if (siren && !found.has(siren) && hasValidKey(siren) && containsSiren(text, siren)) found.add(siren);
		if (found.size === maxSirens) break;
	}
	return [...found];
}

export interface IssueDate {
	/** If only the day is known, its first instant in Paris. */
	at: Date;
	hasHour: boolean;
}

/** Finds the date of issue in a text; the oldest of several, null without any. */
export function findIssueDate(text: string): IssueDate | null {
	const normalized = normalize(text);
	for (const label of issueDateLabels) {
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
