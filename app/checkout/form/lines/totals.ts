import { typedFromEntries } from "../../../../server/types/objects.ts";
import { formatDeadline } from "../../../catalogue/instants.ts";
import { type Cents, cents } from "../../../catalogue/money.ts";
import type { OpeningCalendar } from "../../../catalogue/opening-hours.ts";
import { computePromise } from "../../../catalogue/promise.ts";
import { isPosted, type ServiceCode, serviceCodes, services } from "../../../catalogue/services.ts";

/** What a purchase costs, and by when all of it is there. */
export interface PurchaseTotals {
	/** The services that are ordered, in the order of the catalogue. */
	services: { code: ServiceCode; count: number; price: Cents }[];
	count: number;
	/** The extracts whose service is not chosen yet: the price is without them. */
	withoutService: number;
	/** TTC. */
	price: Cents;
	/** « Si vous payez maintenant : … »; null when nothing is ordered, or when a service is closed. */
	deadline: string | null;
}

/** The promise of each service for a payment now, in milliseconds since 1970; null: it cannot be ordered. */
export type Promises = Record<ServiceCode, number | null>;

export function listPromises({ now, calendar, closed }: { now: Date; calendar: OpeningCalendar; closed: object }): Promises {
	const promise = (code: ServiceCode) => (code in closed ? null : computePromise(code, now, calendar).getTime());
	return typedFromEntries(serviceCodes.map((code) => [code, promise(code)] as const));
}

/** Sums up a purchase, on the server and in the page. @param chosen the service of each line; null: not chosen yet. */
export function computeTotals(chosen: readonly (ServiceCode | null)[], promises: Promises): PurchaseTotals {
	const ordered = chosen.filter((code) => code !== null);
	const used = serviceCodes.flatMap((code) => {
		const count = ordered.filter((service) => service === code).length;
		return count > 0 ? [{ code, count, price: cents(count * services[code].price) }] : [];
	});
	const isClosed = used.some(({ code }) => promises[code] === null);
	const last = (posted: boolean, [one, several]: readonly [string, string]) => {
		const instants = ordered.filter((code) => isPosted(code) === posted).map((code) => promises[code] ?? 0);
		return instants.length > 0 ? `${instants.length > 1 ? several : one} ${formatDeadline(new Date(Math.max(...instants)))}` : null;
	};
	const parts = [
		last(false, ["votre PDF livré", "tous les PDF livrés"]),
		last(true, ["votre courrier posté", "tous les courriers postés"]),
	].filter((part) => part !== null);
	return {
		services: used,
		count: ordered.length,
		withoutService: chosen.length - ordered.length,
		price: computePrice(ordered),
		deadline: isClosed || parts.length === 0 ? null : `Si vous payez maintenant\u00a0: ${parts.join(", ")}.`,
	};
}

/** The price of a purchase, in cents TTC. @param ordered the service of each line. */
export const computePrice = (ordered: readonly ServiceCode[]): Cents =>
	cents(ordered.reduce((sum, service) => sum + services[service].price, 0));
