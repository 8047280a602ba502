import type { Database, Trx } from "../../../server/database/database.ts";
import type { ServiceCode } from "../../catalogue/services.ts";
import { findFull } from "../../catalogue/settings/capacity.ts";
import { describeSales, type FullServices } from "../../catalogue/settings/sales.ts";
import { describeRefusal } from "../../catalogue/settings/sales-sentences.ts";
import { notifyPublicPages, readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import { hasCapacity, type ShopSettings } from "../../catalogue/settings/shop-settings.ts";
import type { PaymentShop } from "../../payments/payment-shop.ts";
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

/** Finds the services whose limit of orders an hour is reached. Without a limit nothing is counted. */
export async function findFullServices(
	db: Database | Trx,
	settings: ShopSettings,
	now: Date,
	but: string | null = null,
): Promise<FullServices> {
	return hasCapacity(settings) ? findFull(settings.capacity, await listPlaces(db, now, but)) : {};
}

/**
 * Checks, in the transaction that opens a payment, that all orders of a purchase are sold now, with a place for each. Until it is paid, it
 * holds few of them for a short time; a payment that arrives later is never refused (decision 0047). The settings come from the database:
 * after the commit of a closure no payment is opened. Under a limit, the transactions that open payments wait for each other, and the
 * last place clears the cached pages.
 * @param wanted the service of each order.
 * @param purchaseId of a purchase that waits for its payment; null for a new one.
 */
export async function checkSales(
	{ openingHours, now }: PaymentShop,
	trx: Trx,
	{ services: wanted, purchaseId }: { services: readonly ServiceCode[]; purchaseId: string | null },
): Promise<{ ok: true; limited: boolean } | SalesRefusal> {
	const at = now();
	const settings = await readSettings(trx);
	const limited = hasCapacity(settings);
	if (limited) await lockPlaces(trx);
	const places = limited ? await listPlaces(trx, at, purchaseId) : [];
	const sales = describeSales(settings, findFull(settings.capacity, places), openingHours, at);
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
	const taken = [...places, ...own.slice(0, mostUnpaidPlaces)];
	const isLast = Object.keys(findFull(settings.capacity, taken)).length > Object.keys(findFull(settings.capacity, places)).length;
	if (isLast) await notifyPublicPages(trx);
	return { ok: true, limited };
}

/** The limit is not reached, but the purchase has more orders than places are left. */
const tooManyAtOnce = "Nous ne pouvons pas servir autant d’extraits dans l’heure qui vient. Retirez des lignes, ou réessayez plus tard.";

/** Seconds between two notifications after refusals, so that a flood does not empty the caches. */
const noticeInterval = 10;

/** A refused customer saw a page that still offered the service: cached pages are drawn anew. */
export async function refreshOffers({ db, limits }: Pick<PaymentShop, "db" | "limits">, { code }: { code: string }): Promise<void> {
	if (code === "full" && (await limits("full-notice", 1, noticeInterval).take("shop")).ok) await notifyPublicPages(db);
}
