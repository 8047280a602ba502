import type { Database, Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { toError } from "../../../server/types/errors.ts";
import { readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import { findBulletinReading } from "./bulletin.server.ts";
import { countDaysSince, maxDelayDays, promiseDays } from "./bulletin-source.ts";
import { formatDay } from "./notice.ts";

/**
 * Whether the shop reads the bulletin. `off`: it is switched off. `never`: no day was read whole yet. `late`: the last day that was read,
 * yyyy-mm-dd, is older than its issue may be; `days`: whole days ago.
 */
type BulletinState = { state: "off" } | { state: "never" } | { state: "read" | "late"; readUntil: string; days: number };

/** In a sentence, for operators. */
export function describeBulletinState(bulletin: BulletinState): string {
	if (bulletin.state === "off") return "Arrêté\u00a0: le site ne promet ni surveillance ni alertes.";
	if (bulletin.state === "never") return "En marche, et rien n’est encore relevé.";
	const until = `complet jusqu’au ${formatDay(bulletin.readUntil)}`;
	return bulletin.state === "read" ? `En marche, ${until}.` : `En retard\u00a0: ${until} seulement.`;
}

/** Whether the bulletin is read, and how far. */
export async function findBulletinState(db: Database | Trx, now: Date): Promise<BulletinState> {
	if (!(await readSettings(db)).bulletinReading) return { state: "off" };
	const covered = (await findBulletinReading(db))?.covered;
	if (!covered) return { state: "never" };
	const days = countDaysSince(covered.to, now);
	return { state: days > maxDelayDays ? "late" : "read", readUntil: covered.to, days };
}

/** Whether a watch and alerts may be promised now (docs/rules.md, R205). */
export async function isBulletinWatched(db: Database | Trx, now: Date): Promise<boolean> {
	const bulletin = await findBulletinState(db, now);
	return (bulletin.state === "read" || bulletin.state === "late") && bulletin.days <= promiseDays;
}

/** The same for pages, which are also shown while the database is unavailable: then what was last known holds. */
export function createWatchReader({ db, now, log }: Pick<Context, "db" | "now" | "log">): () => Promise<boolean> {
	let last = false;
	return async () => {
		try {
			last = await isBulletinWatched(db, now());
		} catch (error) {
			log.warn({ error: toError(error).message }, "whether the bulletin is read could not be found");
		}
		return last;
	};
}
