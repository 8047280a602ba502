import { Temporal } from "temporal-polyfill";
import { isFrenchHoliday } from "./holidays.ts";
import { formatDayRange, zone } from "./instants.ts";
import { homeTransit, type Transit } from "./services.ts";

/**
 * The time of a tracked letter by territory. La Poste has two overseas zones; Mayotte and Saint-Pierre-et-Miquelon take as long as the second. The
 * times are those that shops publish of its zones (nobleopulence.com/fr-us/pages/livraison), read on 29 November 2026 and not compared with La Poste:
 * docs/questions-pour-les-conseils.md asks the owner to. Postal codes: 97133 Saint-Barthélemy and 97150 Saint-Martin are served as Guadeloupe; 980
 * is Monaco, and 00 a military sector.
 */
const zones: readonly (Transit & { places: string; codes: RegExp })[] = [
	{
		codes: /^97[1-478]/,
		...{ from: 5, to: 7 },
		places: "pour la Guadeloupe, la Guyane, la Martinique, La Réunion, Saint-Barthélemy et Saint-Martin",
	},
	{
		codes: /^(97[569]|98[4-9]|00)/,
		...{ from: 7, to: 10 },
		places:
			"pour Mayotte, la Nouvelle-Calédonie, la Polynésie française, Saint-Pierre-et-Miquelon, les Terres australes, Wallis-et-Futuna et les secteurs postaux des armées",
	},
];

const getTransit = (postalCode: string): Transit => zones.find(({ codes }) => codes.test(postalCode)) ?? homeTransit;

const numbers = ["", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"];
const formatDays = ({ from, to }: Transit) => `${numbers[from]} à ${numbers[to]}`;

/**
 * The first and the last day on which a letter arrives. Its working days are those of the post: Monday to Friday without the holidays of
 * metropolitan France, whatever days the shop is open.
 */
export function computeArrival(posted: Date, postalCode: string): { from: Date; to: Date } {
	const { from, to } = getTransit(postalCode);
	const day = Temporal.Instant.fromEpochMilliseconds(posted.getTime()).toZonedDateTimeISO(zone).toPlainDate();
	return { from: addWorkingDays(day, from), to: addWorkingDays(day, to) };
}

function addWorkingDays(start: Temporal.PlainDate, count: number): Date {
	let day = start;
	for (let left = count; left > 0; ) {
		day = day.add({ days: 1 });
		if (day.dayOfWeek <= 5 && !isFrenchHoliday(day.toString())) left--;
	}
	return new Date(day.toZonedDateTime(zone).epochMilliseconds);
}

/**
 * « entre le jeudi 3 et le lundi 7 décembre » @param posted the day of the posting, or the one by which it is promised.
 * @returns null without a postal code: the customer was erased.
 */
export function formatArrival(posted: Date, postalCode: string): string | null {
	if (postalCode === "") return null;
	const { from, to } = computeArrival(posted, postalCode);
	return formatDayRange(from, to);
}

/** The same as a sentence: « Arrivée prévue entre le jeudi 3 et le lundi 7 décembre. » */
export function announceArrival(posted: Date, postalCode: string): string | null {
	const days = formatArrival(posted, postalCode);
	return days && `Arrivée prévue ${days}.`;
}

/** « un à trois jours ouvrés en métropole et à Monaco, cinq à sept pour la Guadeloupe, … et sept à dix pour Mayotte, … » */
export function describeTransits(): string {
	const [first, last] = zones.map((zone) => `${formatDays(zone)} ${zone.places}`);
	return `${formatDays(homeTransit)}\u00a0jours ouvrés en métropole et à Monaco, ${first}, ${last}`;
}
