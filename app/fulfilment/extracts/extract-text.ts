import { Temporal } from "temporal-polyfill";
import { passesLuhn } from "../../../server/types/check-digits.ts";
import { hasValidKey, parseSiren, type Siren } from "../../companies/siren.ts";
import { blank, issueDateLabels, months, normalize, numberAtStart, ownLabel, tidy } from "./extract-patterns.ts";
import { findRegistrations } from "./find-registrations.ts";

/** Finds the company and the date in the text of an extract. */

/**
 * Whether a text contains a SIREN: nine digits, with or without spaces, alone, in the SIRET or in the VAT number.
 * Longer numbers and amounts do not count.
 */
export const containsSiren = (text: string, siren: Siren): boolean => hasNumber(tidy(text), siren);

function hasNumber(tidied: string, siren: Siren): boolean {
	const [first, second, third] = [siren.slice(0, 3), siren.slice(3, 6), siren.slice(6)];
	const joined = `(?<!\\d)${siren}(?:${blank}?\\d{5})?(?!\\d)`;
	const spaced =
		// more digit groups before or after it belong to a longer number
		`(?<!\\d|(?<!\\d)\\d{1,3}${blank})${first}${blank}${second}${blank}${third}` +
		`(?:${blank}?\\d{5}|${blank}\\d{3}${blank}\\d{2})?(?!\\d|,\\d|${blank}\\d{3}(?!\\d)|\\s?(?:€|EUR))`;
	const vat = `\\bFR ?\\d{2}${blank}?${first}${blank}?${second}${blank}?${third}(?!\\d)`;
	return new RegExp(`${joined}|${spaced}|${vat}`, "iu").test(tidied);
}

/** @returns the number of the company that an extract is of, when its text is certain of it, and every number that it may be. */
export function findCompany(text: string): { siren: string | null; registered: string[] } {
	const normalized = normalize(text);
	const found = findRegistrations(normalized);
	const registered = [...new Set(found.map(({ siren }) => siren))];
	const label = ownLabel.exec(normalized);
	const isLabelled = label === null || startsWithSiren(normalized.slice(label.index + label[0].length));
	const [siren = null, ...others] = registered;
	return { siren: others.length === 0 && isLabelled ? siren : null, registered };
}

function startsWithSiren(normalized: string): boolean {
	const [, found = ""] = numberAtStart.exec(normalized) ?? [];
	return found !== "" && passesLuhn(found.replace(/\D/g, ""));
}

/**
 * Whether a text calls itself an extract of the register of commerce. Others bear the same number and a date: the situation at the SIRENE
 * directory, the extract of the national register of companies (INPI), the invoice of the greffe, statutes.
 */
export function isExtractText(text: string): boolean {
	const normalized = normalize(text);
	if (/(?<![a-z])(?:facture|commande|devis|recu) n ?(?:°|o\b|umero\b)|total ttc/.test(normalized)) return false;
	if (/repertoire sirene|avis de situation|registre national des entreprises/.test(normalized))
		return /extrait k ?(?:-? ?bis)?\b/.test(normalized);
	return /(?<![a-z])extrait/.test(normalized) && /registre|r\.? ?c\.? ?s\b|k-? ?bis|greffe/.test(normalized);
}

const maxSirens = 100;

/** Lists the numbers in a text that are a SIREN by their place and their key, in the order of the text; the first hundred. */
export function listSirens(text: string): string[] {
	const number = new RegExp(`(?:\\bFR ?\\d{2}${blank}?|(?<!\\d))(?=(\\d{3}${blank}?\\d{3}${blank}?\\d{3}))`, "giu");
	const found = new Set<string>();
	const tidied = tidy(text);
	for (const { 1: match = "" } of tidied.matchAll(number)) {
		const siren = parseSiren(match.replace(/\D/g, ""));
		if (siren && !found.has(siren) && hasValidKey(siren) && hasNumber(tidied, siren)) found.add(siren);
		if (found.size === maxSirens) break;
	}
	return [...found];
}

export interface IssueDate {
	/** As if it was printed in Paris. If only the day is known, its first instant. */
	at: Date;
	hasHour: boolean;
	/** Milliseconds by which the clock of a greffe overseas is ahead of that of Paris; negative where it is behind. */
	ahead?: number;
}

/** Finds the date of issue in a text; the oldest of several, null without any. */
export function findIssueDate(text: string): IssueDate | null {
	const normalized = normalize(text);
	const zone = findZone(normalized);
	for (const label of issueDateLabels) {
		const dates = [...normalized.matchAll(label)].flatMap(({ groups }) => parseIssueDate(groups ?? {}, zone) ?? []);
		if (dates.length > 0) return dates.reduce((oldest, candidate) => (candidate.at < oldest.at ? candidate : oldest));
	}
	return null;
}

const parisZone = "Europe/Paris";

/** The clocks of the greffes outside Europe. */
const overseasZones: readonly [place: RegExp, zone: string][] = [
	[/noumea/, "Pacific/Noumea"],
	[/papeete/, "Pacific/Tahiti"],
	[/mata-?utu/, "Pacific/Wallis"],
	[/saint-(?:denis|pierre)[ -](?:de[ -])?la[ -]reunion/, "Indian/Reunion"],
	[/mamoudzou/, "Indian/Mayotte"],
	[/fort[ -]de[ -]france/, "America/Martinique"],
	[/pointe[ -]a[ -]pitre|basse[ -]terre/, "America/Guadeloupe"],
	[/cayenne/, "America/Cayenne"],
	[/saint-pierre-et-miquelon/, "America/Miquelon"],
];

/** The time zone of the first greffe that a normalised text names, when it is not in Europe. */
function findZone(normalized: string): string | undefined {
	const [, place = ""] = /(?:(?<![a-z])greffe|r\. ?c\. ?s\.?|(?<![a-z])rcs)(?! ?,)([^\d]{0,80})/.exec(normalized) ?? [];
	return overseasZones.find(([name]) => name.test(place))?.[1];
}

function parseIssueDate(
	{ day, month = "", year, hour, minute }: Record<string, string | undefined>,
	greffeZone: string | undefined,
): IssueDate | null {
	const monthNumber = /^\d/.test(month) ? Number(month) : months.findIndex((name) => month.startsWith(name)) + 1;
	const parse = (timeZone: string) =>
		Temporal.ZonedDateTime.from(
			{
				timeZone,
				year: Number(year?.padStart(4, "20")),
				month: monthNumber,
				day: Number(day),
				hour: Number(hour ?? 0),
				minute: Number(minute ?? 0),
			},
			{ overflow: "reject" },
		).epochMilliseconds;
	try {
		const at = parse(parisZone);
		return { at: new Date(at), hasHour: hour !== undefined, ...(greffeZone && { ahead: at - parse(greffeZone) }) };
	} catch {
		return null; // 31/02: not a date
	}
}
