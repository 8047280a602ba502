import type { ClosedServices } from "../deadlines.ts";
import { findHour, findReopening, type Offer } from "../offers.ts";
import { findNextOpening, type OpeningCalendar } from "../opening-hours.ts";
import { computePromise } from "../promise.ts";
import { type ServiceCode, serviceCodes } from "../services.ts";
import { findNearDaysOff, toCalendar } from "./days-off.ts";
import { formatSalesNotice, type SalesNotice } from "./sales-sentences.ts";
import { type Closure, isInForce, type ShopSettings } from "./shop-settings.ts";

/** The services whose limit of orders an hour is reached, each with the earliest instant at which a place may be free. */
export type FullServices = Partial<Record<ServiceCode, Date>>;

/** What limits the sale beside the settings. */
export interface SalesLoad extends Pick<Offer, "slots"> {
	full: FullServices;
}

/** What the shop sells at an instant, for pages and the checkout. `calendar`: opening hours, public holidays, days off and a closure. */
export interface Sales extends Offer {
	/** The services that cannot be ordered. */
	closed: ClosedServices;
	/** The reason why each of them cannot be ordered. */
	reasons: Partial<Record<ServiceCode, ClosedReason>>;
	/** Null: the shop is open. */
	closure: Closure | null;
	/** What pages say of all this; empty in a usual week. */
	notices: readonly SalesNotice[];
}

/**
 * `closure`: the whole shop is closed. `paused`: the operator paused the service. `full`: its limit of orders an hour is reached, or the
 * desk cannot keep its hour.
 */
export type ClosedReason = "closure" | "paused" | "full";

/** @param base opening hours and public holidays. */
export function describeSales(settings: ShopSettings, { full, slots }: SalesLoad, base: OpeningCalendar, now: Date): Sales {
	const offer = { calendar: toCalendar(base, settings, now), slots };
	const closure = isInForce(settings.closure, now) ? settings.closure : null;
	const closed: ClosedServices = {};
	const reasons: Sales["reasons"] = {};
	for (const code of serviceCodes) {
		const found = findClosedReason(code, { settings, full, closure, now }) ?? findTooLate(code, now, offer);
		if (found === null) continue;
		closed[code] = found.until;
		reasons[code] = found.reason;
	}
	const daysOff = findNearDaysOff(base, settings.daysOff, now);
	const nextOpening = findNextOpening(now, offer.calendar);
	const isLater = serviceCodes.some((code) => !(code in closed) && findHour(code, now, offer) > computePromise(code, now, offer.calendar));
	const notices = formatSalesNotice({ closure, closed, reasons, daysOff, nextOpening, isLater, now });
	return { ...offer, closed, reasons, closure, notices };
}

function findTooLate(code: ServiceCode, now: Date, offer: Offer): { reason: ClosedReason; until: Date } | null {
	const until = findReopening(code, now, offer);
	return until && { reason: "full", until };
}

function findClosedReason(
	code: ServiceCode,
	{ settings, full, closure, now }: { settings: ShopSettings; full: FullServices; closure: Closure | null; now: Date },
): { reason: ClosedReason; until: Date | null } | null {
	const { expressPause } = settings;
	const toDate = (until: string | null) => (until === null ? null : new Date(until));
	if (closure) return { reason: "closure", until: toDate(closure.until) };
	if (code === "express" && expressPause && isInForce(expressPause, now)) return { reason: "paused", until: toDate(expressPause.until) };
	const freeFrom = full[code];
	return freeFrom && freeFrom > now ? { reason: "full", until: freeFrom } : null;
}
