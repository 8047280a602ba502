import { type Changes, publicPagesSubject } from "../../../server/database/changes.ts";
import type { Database } from "../../../server/database/database.ts";
import type { Log } from "../../../server/observability/log.ts";
import type { OpeningCalendar } from "../opening-hours.ts";
import { describeSales, type FullServices, type Sales } from "./sales.ts";
import { readSettings } from "./shop-settings.store.server.ts";
import { defaultSettings, type ShopSettings } from "./shop-settings.ts";

interface Loaded {
	settings: ShopSettings;
	full: FullServices;
}

interface MemoryParts {
	db: Database;
	changes: Pick<Changes, "subscribe">;
	now: () => Date;
	log: Log;
	/** Opening hours and public holidays. */
	openingHours: OpeningCalendar;
	/** Finds the services whose limit of orders an hour is reached. */
	findFullServices: (db: Database, settings: ShopSettings, now: Date) => Promise<FullServices>;
}

/**
 * Reads the settings from memory. A change notification makes the next read wait for the database, so that no page drawn after it shows
 * an earlier state. Create it before the page caches: they are then cleared after it.
 *
 * While the database is unavailable, the last known settings hold: nothing can be ordered then.
 */
export function createSalesReader({ db, changes, now, log, openingHours, findFullServices }: MemoryParts): () => Promise<Sales> {
	let last: Loaded = { settings: defaultSettings, full: {} };
	let current: Promise<Loaded> | undefined;
	changes.subscribe(publicPagesSubject, () => {
		current = undefined;
	});
	const load = async (): Promise<Loaded> => {
		const settings = await readSettings(db);
		return { settings, full: await findFullServices(db, settings, now()) };
	};
	/** A load that a notification overtakes is not the current one. */
	const start = (): Promise<Loaded> => {
		const started: Promise<Loaded> = load().then(
			(loaded) => {
				last = loaded;
				return loaded;
			},
			(error: Error) => {
				log.warn({ error: error.message }, "the settings of the shop could not be read");
				if (current === started) current = undefined;
				return last;
			},
		);
		return started;
	};
	/** Once a place may be free, the count is made again. */
	const isOver = ({ full }: Loaded) => Object.values(full).some((from) => from <= now());
	return async () => {
		current ??= start();
		let loaded = await current;
		if (isOver(loaded)) {
			current = start();
			loaded = await current;
		}
		return describeSales(loaded.settings, loaded.full, openingHours, now());
	};
}
