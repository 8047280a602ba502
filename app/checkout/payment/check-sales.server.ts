import type { Database, Trx } from "../../../server/database/database.ts";
import { offerLines } from "../../catalogue/offers.ts";
import type { OpeningCalendar } from "../../catalogue/opening-hours.ts";
import type { ServiceCode } from "../../catalogue/services.ts";
import { findFull } from "../../catalogue/settings/capacity.ts";
import { describeSales, type Sales, type SalesLoad } from "../../catalogue/settings/sales.ts";
import { describeRefusal, describeTooLate } from "../../catalogue/settings/sales-sentences.ts";
import { notifyPublicPages, readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import { hasCapacity, type ShopSettings } from "../../catalogue/settings/shop-settings.ts";
import { readSlots } from "../../fulfilment/forecast/read-desk.server.ts";
import type { Order } from "../../orders/order.ts";
import type { PaymentShop } from "../../payments/payment-shop.ts";
import { computeTotals, listPromises, type PurchaseTotals } from "../form/lines/totals.ts";
import { listPlaces, lockPlaces, mostUnpaidPlaces } from "./sales-places.store.server.ts";

/** `closed`: the shop, or this service, is not sold now. `full`: the most orders an hour are reached. */
export interface SalesRefusal {
	ok: false;
	code: "closed" | "full";
	/** For the customer. */
	sentence: string;
	/** Seconds; undefined when nobody knows when it can be ordered again. */
	retryAfter?: number;
}

/**
 * Reads what limits the sale: the services whose limit of orders an hour is reached, and the hours that the desk can keep.
 * @param but a purchase whose places and hours do not count.
 */
export async function readSalesLoad(
	db: Database | Trx,
	{ but = null, ...parts }: { settings: ShopSettings; openingHours: OpeningCalendar; now: Date; but?: string | null },
): Promise<SalesLoad> {
	const { settings, now } = parts;
	const full = hasCapacity(settings) ? findFull(settings.capacity, await listPlaces(db, now, but)) : {};
	return { full, slots: await readSlots(db, { ...parts, but }) };
}

/** What is sold at this instant, from the database: pages may be a minute behind. @param but a purchase that does not count. */
export async function readSalesNow({ db, openingHours, now }: PaymentShop, but: string | null = null): Promise<Sales> {
	const [settings, at] = [await readSettings(db), now()];
	return describeSales(settings, await readSalesLoad(db, { settings, openingHours, now: at, but }), openingHours, at);
}

/** By when the extracts of an unpaid purchase are there, if it is paid now. */
export async function describeUnpaid(shop: PaymentShop, orders: readonly Order[]): Promise<PurchaseTotals> {
	const sales = await readSalesNow(shop, orders[0]?.purchase_id);
	return computeTotals(
		orders.map(({ product_code }) => product_code),
		listPromises(shop.now(), sales, orders.length),
	);
}

/** A purchase that can be sold. */
export interface Sold {
	ok: true;
	/** Its payment page ends soon: its places, or its hours, are kept for it. */
	limited: boolean;
	/** The hour of each order, which is binding once it is paid; null: the catalogue's at the payment. */
	hours: Date[] | null;
	/** The latest of those that are later than the catalogue's, in milliseconds since 1970; 0 without any. */
	latest: number;
}

/**
 * Checks, in the transaction that opens a payment, that all orders of a purchase are sold now, with a place and an hour for each. Until it
 * is paid, it holds few places for a short time; a payment that arrives later is never refused (decision 0047). The settings come from the
 * database: after the commit of a closure no payment is opened. Under a limit or with a pace, the transactions that open payments wait for
 * each other, and the last place clears the cached pages.
 * @param wanted the service of each order.
 * @param purchaseId of a purchase that waits for its payment; null for a new one.
 */
export async function checkSales(
	{ openingHours, now }: PaymentShop,
	trx: Trx,
	{ services: wanted, purchaseId }: { services: readonly ServiceCode[]; purchaseId: string | null },
): Promise<Sold | SalesRefusal> {
	const at = now();
	const settings = await readSettings(trx);
	const limited = hasCapacity(settings) || settings.pace !== null;
	if (limited) await lockPlaces(trx);
	const places = limited ? await listPlaces(trx, at, purchaseId) : [];
	const slots = await readSlots(trx, { settings, openingHours, now: at, but: purchaseId });
	const sales = describeSales(settings, { full: findFull(settings.capacity, places), slots }, openingHours, at);
	const refused = wanted.find((service) => service in sales.closed);
	if (refused) {
		const until = sales.closed[refused];
		return {
			ok: false,
			code: sales.reasons[refused] === "full" ? "full" : "closed",
			sentence: describeRefusal(refused, { ...sales, now: at }),
			...(until && { retryAfter: Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000)) }),
		};
	}
	// express first, as it may use a part of the common limit only
	const sorted = wanted.toSorted((one, other) => Number(other === "express") - Number(one === "express"));
	const own = sorted.map((service) => ({ service, freeAt: at })); // findFull only counts these: nobody reads when they are free
	// the last order must find a place too
	if (sorted.some((service, index) => service in findFull(settings.capacity, [...places, ...own.slice(0, index)])))
		return { ok: false, code: "full", sentence: tooManyAtOnce };
	const lines = offerLines(wanted, at, sales);
	const sentence = describeTooLate(wanted, lines);
	if (sentence !== null) return { ok: false, code: "full", sentence };
	const taken = [...places, ...own.slice(0, mostUnpaidPlaces)];
	const isLast = Object.keys(findFull(settings.capacity, taken)).length > Object.keys(findFull(settings.capacity, places)).length;
	if (isLast) await notifyPublicPages(trx);
	const latest = Math.max(0, ...lines.flatMap(({ at, later }) => (later ? at.getTime() : [])));
	return { ok: true, limited, latest, hours: slots.length > 0 ? lines.map(({ at }) => at) : null };
}

/** The limit is not reached, but the purchase has more orders than places are left. */
const tooManyAtOnce = "Nous ne pouvons pas servir autant d’extraits dans l’heure qui vient. Retirez des lignes, ou réessayez plus tard.";

/** Seconds between two notifications after refusals, so that a flood does not empty the caches. */
const noticeInterval = 10;

/** A refused customer saw a page that still offered the service: cached pages are drawn anew. */
export async function refreshOffers({ db, limits }: Pick<PaymentShop, "db" | "limits">, { code }: { code: string }): Promise<void> {
	if (code === "full" && (await limits("full-notice", 1, noticeInterval).take("shop")).ok) await notifyPublicPages(db);
}
