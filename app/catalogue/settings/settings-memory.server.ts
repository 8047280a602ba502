import { type Changes, publicPagesSubject } from "../../../server/database/changes.ts";
import type { Database } from "../../../server/database/database.ts";
import { minute } from "../../../server/durations.ts";
import type { Log } from "../../../server/observability/log.ts";
import type { OpeningCalendar } from "../opening-hours.ts";
import { describeSales, type Sales, type SalesLoad } from "./sales.ts";
import { readSettings } from "./shop-settings.store.server.ts";
import { defaultSettings, type ShopSettings } from "./shop-settings.ts";

interface Loaded {
	settings: ShopSettings;
	load: SalesLoad;
	at: Date;
}

/** What the desk has to do changes with each order and each extract: it is read again after a minute. */
const loadLifetime = minute;

interface MemoryParts {
	db: Database;
	changes: Pick<Changes, "subscribe">;
	now: () => Date;
	log: Log;
	/** Opening hours and public holidays. */
	openingHours: OpeningCalendar;
	/** Reads what limits the sale beside the settings. */
	readSalesLoad: (db: Database, parts: { settings: ShopSettings; openingHours: OpeningCalendar; now: Date }) => Promise<SalesLoad>;
}

/**
 * Reads the settings from memory. A change notification makes the next read wait for the database, so that no page drawn after it shows
 * an earlier state. Create it before the page caches: they are then cleared after it.
 *
 * While the database is unavailable, the last known settings hold: nothing can be ordered then.
 */
export function createSalesReader({ db, changes, now, log, openingHours, readSalesLoad }: MemoryParts): () => Promise<Sales> {
	let last: Loaded = { settings: defaultSettings, load: { full: {}, slots: [] }, at: now() };
	let current: Promise<Loaded> | undefined;
	changes.subscribe(publicPagesSubject, () => {
		current = undefined;
	});
	const load = async (): Promise<Loaded> => {
		const [settings, at] = [await readSettings(db), now()];
		return { settings, load: await readSalesLoad(db, { settings, openingHours, now: at }), at };
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
	const isOver = ({ load: { full, slots }, at }: Loaded) =>
		Object.values(full).some((from) => from <= now()) || (slots.length > 0 && now().getTime() - at.getTime() >= loadLifetime);
	return async () => {
		current ??= start();
		let loaded = await current;
		if (isOver(loaded)) {
			current = start();
			loaded = await current;
		}
		return describeSales(loaded.settings, loaded.load, openingHours, now());
	};
}
