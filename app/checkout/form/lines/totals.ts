import { typedFromEntries } from "../../../../server/types/objects.ts";
import { formatDeadline, inParis } from "../../../catalogue/instants.ts";
import { type Cents, cents } from "../../../catalogue/money.ts";
import { listHours, type Offer } from "../../../catalogue/offers.ts";
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
	/** The latest of the hours, in milliseconds since 1970; null without any. */
	until: number | null;
	/** What the hours hold for; null without any. */
	deadlineNote: string | null;
	count: number;
	/** The extracts whose service is not chosen yet: the price is without them, and no total. */
	withoutService: number;
	/** TTC. */
	price: Cents;
}

/**
 * The promises of each service for a payment now, by the rank of the line, in milliseconds since 1970. One holds for all lines; none: it
 * cannot be ordered.
 */
export type Promises = Record<ServiceCode, readonly number[]>;

/** @param lines of the largest purchase that is summed up. */
export function listPromises(now: Date, { calendar, slots, closed }: Offer & { closed: object }, lines: number): Promises {
	const offer = { calendar, slots: slots.slice(0, lines) };
	const list = (code: ServiceCode) => (code in closed ? [] : listHours(code, now, offer).map((hour) => hour.getTime()));
	return typedFromEntries(serviceCodes.map((code) => [code, list(code)] as const));
}

/** Sums up a purchase, on the server and in the page. @param chosen the service of each line; null: not chosen yet. */
export function computeTotals(chosen: readonly (ServiceCode | null)[], promises: Promises): PurchaseTotals {
	const ordered = chosen.filter((code) => code !== null);
	const countOf = (code: ServiceCode) => ordered.filter((service) => service === code).length;
	/** The rank of the first line of each service, as offerLines counts (app/catalogue/offers.ts). */
	const ranks = { express: 0, standard: countOf("express"), postal: ordered.length - countOf("postal") };
	let until = 0;
	const describe = (code: ServiceCode, count: number) => {
		const hours = promises[code];
		const [first, last] = [0, count - 1].map((place) => {
			const hour = hours[ranks[code] + place] ?? hours[0];
			until = Math.max(until, hour ?? 0);
			return hour === undefined ? null : formatDeadline(new Date(hour)).replace(inParis, "").replace("avant ", "avant\u00a0");
		});
		if (!first) return null;
		return `${isPosted(code) ? "posté" : "livré"}${count > 1 ? "s" : ""} ${first}${first === last ? "" : ` pour les premiers, ${last} pour le dernier`}`;
	};
	const used = serviceCodes.flatMap((code) => {
		const count = countOf(code);
		return count > 0 ? [{ code, count, price: cents(count * services[code].price), deadline: describe(code, count) }] : [];
	});
	return {
		services: used,
		until: until || null,
		deadlineNote: used.some(({ deadline }) => deadline) ? "Si vous payez maintenant, à l’heure de Paris." : null,
		count: ordered.length,
		withoutService: chosen.length - ordered.length,
		price: computePrice(ordered),
	};
}

/** The price of a purchase, in cents TTC. @param ordered the service of each line. */
export const computePrice = (ordered: readonly ServiceCode[]): Cents =>
	cents(ordered.reduce((sum, service) => sum + services[service].price, 0));
