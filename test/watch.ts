import { setBulletinReading } from "../app/catalogue/settings/change-settings.server.ts";
import type { Shop } from "../app/shop.ts";

/** Switches the reading of the bulletin on. */
export const switchBulletinOn = (shop: Pick<Shop, "db" | "now" | "log" | "environment">) =>
	setBulletinReading(shop, { id: null, name: "test" }, true);
