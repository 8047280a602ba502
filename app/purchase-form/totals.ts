import { formatDeadline } from "../catalogue/instants.ts";
import { type Cents, cents } from "../catalogue/money.ts";
import type { OpeningCalendar } from "../catalogue/opening-hours.ts";
import { computePromise } from "../catalogue/promise.ts";
import { isPosted, type ServiceCode, serviceCodes, services } from "../catalogue/services.ts";

/** What a purchase costs, and by when all of it is there. */
export interface PurchaseTotals {
	/** The services that are ordered, in the order of the catalogue. */
	services: { code: ServiceCode; count: number; price: Cents }[];
	count: number;
	/** TTC. */
	price: Cents;
	/** « Si vous payez maintenant : … »; null when nothing is ordered, or when a service is closed. */
	deadline: string | null;
}

/** @param ordered the service of each line. @param closed the services that cannot be ordered now. */
export function computeTotals(
	ordered: readonly ServiceCode[],
	{ now, calendar, closed }: { now: Date; calendar: OpeningCalendar; closed: Partial<Record<ServiceCode, unknown>> },
): PurchaseTotals {
	const used = serviceCodes.flatMap((code) => {
		const count = ordered.filter((service) => service === code).length;
		return count > 0 ? [{ code, count, price: cents(count * services[code].price) }] : [];
	});
	const isClosed = used.some(({ code }) => code in closed);
	const last = (posted: boolean, [one, several]: readonly [string, string]) => {
		const promises = ordered.filter((code) => isPosted(code) === posted).map((code) => computePromise(code, now, calendar).getTime());
		return promises.length > 0 ? `${promises.length > 1 ? several : one} ${formatDeadline(new Date(Math.max(...promises)))}` : null;
	};
	const parts = [
		last(false, ["votre PDF livré", "tous les PDF livrés"]),
		last(true, ["votre courrier posté", "tous les courriers postés"]),
	].filter((part) => part !== null);
	return {
		services: used,
		count: ordered.length,
		price: computePrice(ordered),
		deadline: isClosed || parts.length === 0 ? null : `Si vous payez maintenant\u00a0: ${parts.join(", ")}.`,
	};
}

/** The price of a purchase, in cents TTC. @param ordered the service of each line. */
export const computePrice = (ordered: readonly ServiceCode[]): Cents =>
	cents(ordered.reduce((sum, service) => sum + services[service].price, 0));
