import type { Shop } from "../app/shop.ts";
import { setBulletinReading } from "../app/shop-settings/change-settings.server.ts";

/** Switches the reading of the bulletin on. */
export const switchBulletinOn = (shop: Pick<Shop, "db" | "now" | "log" | "environment">) =>
	setBulletinReading(shop, { id: null, name: "test" }, true);
