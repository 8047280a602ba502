import { hour, minute } from "../../server/durations.ts";
import { mostSingleLines } from "./forecast.ts";
import type { OpeningCalendar } from "./opening-hours.ts";
import { addOpenTime, computePromise, findClosing, measureOpenTime } from "./promise.ts";
import { isPosted, type ServiceCode } from "./services.ts";

/** What the hours of an order depend on, beside the instant of its payment. */
export interface Offer {
	calendar: OpeningCalendar;
	/**
	 * The earliest hour of each line of a purchase, by its rank, that the desk can keep (docs/rules.md, R281). Empty: its pace is not known,
	 * and the catalogue's promise holds for all.
	 */
	slots: readonly Date[];
}

/**
 * The hours of a service for a payment now, by the rank of the line: the catalogue's promise, or what the desk can keep when that is later.
 * @returns one for each slot; without slots, one for all lines.
 */
export function listHours(service: ServiceCode, now: Date, { calendar, slots }: Offer): [Date, ...Date[]] {
	const promise = computePromise(service, now, calendar);
	const [first = promise, ...others] = slots.map((slot) => {
		const due = isPosted(service) ? addOpenTime(slot, hour, calendar) : slot;
		if (due <= promise) return promise;
		return isPosted(service) ? findClosing(new Date(due.getTime() - 1), calendar) : due;
	});
	return [first, ...others];
}

/** The hour of a single order for a payment now. */
export const findHour = (service: ServiceCode, now: Date, { calendar, slots }: Offer): Date =>
	listHours(service, now, { calendar, slots: slots.slice(0, 1) })[0];

/** How many days of work an hour may be later than the catalogue's promise. A purchase of many lines is told more than a single order. */
const latestDays = { single: 1, list: 5 };

/**
 * The latest hour that is still sold. A single express order is never later than the catalogue says; a line of a list may be, as long as
 * it is faster than a standard one.
 */
function findLatestHour(service: ServiceCode, now: Date, { calendar }: Offer, kind: keyof typeof latestDays): Date {
	const promise = computePromise(service, now, calendar);
	if (service === "express") return kind === "single" ? promise : new Date(computePromise("standard", now, calendar).getTime() - 1);
	return addOpenTime(promise, latestDays[kind] * (calendar.closes - calendar.opens) * minute, calendar);
}

/** When a service can be sold again, if nothing is ordered meanwhile; null when it can be now. */
export function findReopening(service: ServiceCode, now: Date, offer: Offer): Date | null {
	const [wanted, latest] = [findHour(service, now, offer), findLatestHour(service, now, offer, "single")];
	if (wanted <= latest) return null;
	const [sooner = 0, later = 0] = measureOpenTime(now, [latest, wanted], offer.calendar);
	return addOpenTime(now, later - sooner, offer.calendar);
}

/** The services in the order in which a purchase takes the desk's time. */
const rankedCodes: readonly ServiceCode[] = ["express", "standard", "postal"];

/**
 * Gives each line of a purchase its hour: express lines first.
 * @param wanted the service of each line.
 * @returns `later`: than the catalogue's promise. `tooLate`: the line cannot be sold at this hour.
 */
export function offerLines(wanted: readonly ServiceCode[], now: Date, offer: Offer): { at: Date; later: boolean; tooLate: boolean }[] {
	const kind = wanted.length > mostSingleLines ? "list" : "single";
	let rank = 0;
	const lines = rankedCodes.flatMap((service) => {
		const places = [...wanted.keys()].filter((place) => wanted[place] === service);
		if (places.length === 0) return [];
		const hours = listHours(service, now, offer);
		const [promise, latest] = [computePromise(service, now, offer.calendar), findLatestHour(service, now, offer, kind)];
		return places.map((place) => {
			const at = hours[rank++] ?? hours[0];
			return { place, at, later: at > promise, tooLate: at > latest };
		});
	});
	return lines.sort((one, other) => one.place - other.place).map(({ place: _, ...line }) => line);
}
