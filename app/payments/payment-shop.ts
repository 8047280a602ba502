import type { OpeningCalendar } from "../catalogue/opening-hours.ts";
import type { StorageContext } from "../documents/storage.ts";
import type { PaymentProvider } from "./provider.ts";

/** The part of the shop that payments use: app/shop.ts stands above this folder. */
export interface PaymentShop extends StorageContext {
	calendar: OpeningCalendar;
	provider: PaymentProvider;
}
