import { minute } from "../../server/durations.ts";
import { typedFromEntries } from "../../server/types/objects.ts";
import { formatDayRange, formatDeadline, formatHour, formatWeekdayAndDate, inParis } from "./instants.ts";
import { findHour, type Offer } from "./offers.ts";
import { isPosted, type ServiceCode, serviceCodes } from "./services.ts";
import { computeArrival } from "./transit.ts";

/** When a service that cannot be ordered now can be again; null: nobody knows yet. */
export type Reopening = Date | null;

/** The services that cannot be ordered now. */
export type ClosedServices = Partial<Record<ServiceCode, Reopening>>;

/** What a page shows beside a service. */
export interface Deadline {
	/** « lundi 23 novembre avant 10 h », « posté … », or « indisponible jusqu’à 14 h ». */
	text: string;
	/** Whether the service can be ordered now. */
	open: boolean;
	/** Of a letter, « Arrivée prévue en métropole entre le jeudi 3 et le lundi 7 décembre. » Pages without an address show it. */
	arrival?: string;
}

export type Deadlines = Record<ServiceCode, Deadline>;

/** Formats the promise of each service for a payment at `now`, or until when it cannot be ordered. */
export function formatDeadlines(now: Date, { closed, ...offer }: Offer & { closed: ClosedServices }): Deadlines {
	const format = (code: ServiceCode): Deadline => {
		const reopening = closed[code];
		if (reopening !== undefined)
			return { text: reopening ? `indisponible ${formatUntil(reopening, now)}` : "indisponible pour le moment", open: false };
		const promise = findHour(code, now, offer);
		if (!isPosted(code)) return { text: formatDeadline(promise), open: true };
		const { from, to } = computeArrival(promise, metropolitanCode);
		return { text: `posté ${formatDeadline(promise)}`, open: true, arrival: `Arrivée prévue en métropole ${formatDayRange(from, to)}.` };
	};
	return typedFromEntries(serviceCodes.map((code) => [code, format(code)] as const));
}

/** Any postal code of the home territory. */
const metropolitanCode = "75001";

const isMidnight = (instant: Date) => formatHour(instant) === "0\u00a0h";

/** « jusqu’à 14 h, heure de Paris », « jusqu’au mardi 24 novembre à 8 h, … »; the end of a day: « aujourd’hui », « jusqu’au lundi 23 novembre inclus ». */
export function formatUntil(instant: Date, now: Date): string {
	const rounded = new Date(Math.ceil(instant.getTime() / minute) * minute);
	const today = formatWeekdayAndDate(now);
	if (isMidnight(rounded)) {
		const lastDay = formatWeekdayAndDate(new Date(rounded.getTime() - minute));
		return lastDay === today ? "aujourd’hui" : `jusqu’au ${lastDay} inclus`;
	}
	const day = formatWeekdayAndDate(rounded);
	return `${day === today ? "jusqu’à" : `jusqu’au ${day} à`} ${formatHour(rounded)}${inParis}`;
}

/** « à 14 h, heure de Paris », « mardi 24 novembre à 8 h, heure de Paris » */
export function formatFrom(instant: Date, now: Date): string {
	const rounded = new Date(Math.ceil(instant.getTime() / minute) * minute);
	const day = formatWeekdayAndDate(rounded);
	if (isMidnight(rounded)) return day;
	return `${day === formatWeekdayAndDate(now) ? "" : `${day} `}à ${formatHour(rounded)}${inParis}`;
}

/** « livré lundi 23 novembre avant 10 h », « posté mercredi 25 novembre avant 18 h », « indisponible jusqu’à 14 h ». */
export const describeArrival = (code: ServiceCode, { text, open }: Deadline): string => `${isPosted(code) || !open ? "" : "livré "}${text}`;

/** « Si vous payez maintenant : livré lundi 23 novembre avant 10 h. », « Indisponible jusqu’à 14 h. » */
export const describeDeadline = (code: ServiceCode, deadline: Deadline): string =>
	deadline.open
		? `Si vous payez maintenant\u00a0: ${describeArrival(code, deadline)}.`
		: `${deadline.text.charAt(0).toUpperCase()}${deadline.text.slice(1)}.`;

/** The same with the days on which a letter arrives. */
export const describeDelivery = (code: ServiceCode, deadline: Deadline): string =>
	[describeDeadline(code, deadline), ...(deadline.arrival ? [deadline.arrival] : [])].join(" ");
