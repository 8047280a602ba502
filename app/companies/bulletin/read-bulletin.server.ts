import type { Runtime } from "../../../server/runtime.ts";
import { toParisDay } from "../../catalogue/settings/days-off.ts";
import { readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import { findReachedAt } from "./bulletin.store.server.ts";
import { updateNotices } from "./import/update-notices.server.ts";

/** The hour of the day in Paris from which a reading counts for it: the issue of a day is loaded in the night. */
const firstHour = 5;

/**
 * Reads what the bulletin published up to today, if the operator switched it on and today was not reached yet (docs/rules.md, R205). A
 * reading that stops early is logged, and the next run goes on where it stopped.
 */
export async function readBulletin({
	db,
	connection,
	environment,
	log,
	now,
}: Pick<Runtime, "db" | "connection" | "environment" | "log" | "now">): Promise<void> {
	if (!(await readSettings(db)).bulletinReading) return;
	const reachedAt = await findReachedAt(db);
	const start = toParisDay(now()).toZonedDateTime({ timeZone: "Europe/Paris", plainTime: `0${firstHour}:00` }).epochMilliseconds;
	if (reachedAt !== null && reachedAt.getTime() >= start) return;
	const { stopped, days, read, kept, coverage } = await updateNotices(connection, {
		base: environment.bulletin.base,
		now: () => now().getTime(),
	});
	const facts = { days, read, kept, readUntil: coverage?.to ?? null };
	if (stopped === null) log.info(facts, "the bulletin was read");
	else log.error({ ...facts, reason: stopped }, "the reading of the bulletin stopped early");
}
