import type { OpeningCalendar } from "../catalogue/opening-hours.ts";
import type { StorageContext } from "../orders/documents/storage.ts";
import type { PaymentProvider } from "./provider.ts";

/** The part of the shop that payments use. This folder may not import app/shop.ts, which is in a higher layer. */
export interface PaymentShop extends StorageContext {
	/** Opening hours and public holidays. The promise clock also counts days off (app/catalogue/settings/days-off.ts). */
	openingHours: OpeningCalendar;
	provider: PaymentProvider;
	/** Records the terms of sale in force. Returns their hash, which an order names. */
	recordTerms: () => Promise<string>;
}
