import type { Database, Trx } from "../../../server/database/database.ts";
import type { ServiceCode } from "../../catalogue/services.ts";
import { findFull } from "../../shop-settings/capacity.ts";
import { describeSales, type FullServices } from "../../shop-settings/sales.ts";
import { describeRefusal } from "../../shop-settings/sales-sentences.ts";
import { readSettings } from "../../shop-settings/settings.server.ts";
import { hasCapacity, type ShopSettings } from "../../shop-settings/shop-settings.ts";
import type { PaymentShop } from "../payment-shop.ts";
import { listPlaces, lockPlaces, notifyPublicPages } from "./sales-places.store.server.ts";

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
 * Checks, in the transaction that opens a payment, that the service is sold now. The settings come from the database: after the commit of a
 * closure no payment is opened. Under a limit, the transactions that open payments wait for each other, and the last place clears the
 * cached pages.
 * @param orderId of an order that waits for its payment; null for a new one.
 */
export async function checkSales(
	{ openingHours, now }: PaymentShop,
	trx: Trx,
	{ service, orderId }: { service: ServiceCode; orderId: string | null },
): Promise<{ ok: true; limited: boolean } | SalesRefusal> {
	const at = now();
	const settings = await readSettings(trx);
	const limited = hasCapacity(settings);
	if (limited) await lockPlaces(trx);
	const places = limited ? await listPlaces(trx, at, orderId) : [];
	const sales = describeSales(settings, findFull(settings.capacity, places), openingHours, at);
	if (service in sales.closed) {
		const until = sales.closed[service] ?? null;
		return {
			ok: false,
			code: sales.reasons[service] === "full" ? "full" : "closed",
			sentence: describeRefusal(service, { ...sales, now: at }),
			...(until && { retryAfter: Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000)) }),
		};
	}
	const taken = [...places, { service, freeAt: new Date(at.getTime() + 3_600_000) }];
	const isLast =
		limited && Object.keys(findFull(settings.capacity, taken)).length > Object.keys(findFull(settings.capacity, places)).length;
	if (isLast) await notifyPublicPages(trx);
	return { ok: true, limited };
}

/** Seconds between two notifications after refusals, so that a flood does not empty the caches. */
const noticeInterval = 10;

/** A refused customer saw a page that still offered the service: cached pages are drawn anew. */
export async function refreshOffers({ db, limits }: Pick<PaymentShop, "db" | "limits">, { code }: SalesRefusal): Promise<void> {
	if (code === "full" && (await limits("full-notice", 1, noticeInterval).take("shop")).ok) await notifyPublicPages(db);
}
