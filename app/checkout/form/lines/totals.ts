import { typedFromEntries } from "../../../../server/types/objects.ts";
import { formatDeadline, inParis } from "../../../catalogue/instants.ts";
import { type Cents, cents } from "../../../catalogue/money.ts";
import type { OpeningCalendar } from "../../../catalogue/opening-hours.ts";
import { computePromise } from "../../../catalogue/promise.ts";
import { isPosted, type ServiceCode, serviceCodes, services } from "../../../catalogue/services.ts";

/** What a purchase costs, and by when each service is there. */
export interface PurchaseTotals {
	/** The services that are ordered, in the order of the catalogue. */
	services: {
		code: ServiceCode;
		count: number;
		price: Cents;
		/** « livrés lundi 23 novembre avant 14 h », for a payment now; null while it is not known: the service is closed. */
		deadline: string | null;
	}[];
	/** What the hours hold for; null without any. */
	deadlineNote: string | null;
	count: number;
	/** The extracts whose service is not chosen yet: the price is without them, and no total. */
	withoutService: number;
	/** TTC. */
	price: Cents;
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
	const describe = (code: ServiceCode, count: number) => {
		const promise = promises[code];
		if (promise === null) return null;
		return `${isPosted(code) ? "posté" : "livré"}${count > 1 ? "s" : ""} ${formatDeadline(new Date(promise)).replace(inParis, "").replace("avant ", "avant\u00a0")}`;
	};
	const used = serviceCodes.flatMap((code) => {
		const count = ordered.filter((service) => service === code).length;
		return count > 0 ? [{ code, count, price: cents(count * services[code].price), deadline: describe(code, count) }] : [];
	});
	return {
		services: used,
		deadlineNote: used.some(({ deadline }) => deadline) ? "Si vous payez maintenant, à l’heure de Paris." : null,
		count: ordered.length,
		withoutService: chosen.length - ordered.length,
		price: computePrice(ordered),
	};
}

/** The price of a purchase, in cents TTC. @param ordered the service of each line. */
export const computePrice = (ordered: readonly ServiceCode[]): Cents =>
	cents(ordered.reduce((sum, service) => sum + services[service].price, 0));
