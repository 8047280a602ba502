import { sql } from "kysely";
import { changeNotification, changesChannel, publicPagesSubject } from "../../../server/database/changes.ts";
import type { Database, Trx } from "../../../server/database/database.ts";
import type { DaysOffChange } from "./days-off.ts";
import { defaultSettings, type SettingName, type ShopSettings } from "./shop-settings.ts";

/** All SQL on `shop_settings` and `shop_setting_changes`. */

export interface SettingChange {
	name: SettingName;
	before: ShopSettings[SettingName];
	after: ShopSettings[SettingName];
	changed_by: string;
	operator_id: string | null;
	changed_at: Date;
}

/** The settings in force. A name that this version does not know is ignored. */
export async function readSettings(db: Database | Trx): Promise<ShopSettings> {
	const rows = await db.selectFrom("shop_settings").select(["name", "value"]).execute();
	const stored = rows.filter(({ name }) => Object.hasOwn(defaultSettings, name)).map(({ name, value }) => [name, value]);
	return { ...defaultSettings, ...(Object.fromEntries(stored) as Partial<ShopSettings>) };
}

/** Changes wait for each other until the end of their transaction, so that none works on an earlier value. */
export async function lockSettings(trx: Trx): Promise<void> {
	await sql`lock table shop_settings in share row exclusive mode`.execute(trx);
}

/** Updates a setting with its line of history; the commit clears the cached pages and the settings in memory. */
export async function updateSetting(trx: Trx, { name, before, after, ...change }: SettingChange): Promise<void> {
	const value = JSON.stringify(after);
	await trx
		.insertInto("shop_settings")
		.values({ name, value })
		.onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
		.execute();
	await trx
		.insertInto("shop_setting_changes")
		.values({ name, before: JSON.stringify(before), after: value, ...change })
		.returning(changeNotification(publicPagesSubject))
		.execute();
}

/** Whether a setting of the promise clock has changed after an instant. */
export async function hasClockChangedSince(trx: Trx, since: Date): Promise<boolean> {
	const change = await trx
		.selectFrom("shop_setting_changes")
		.select("id")
		.where("name", "in", ["closure", "daysOff"] satisfies SettingName[])
		.where("changed_at", ">=", since)
		.limit(1)
		.executeTakeFirst();
	return change !== undefined;
}

/** The history, newest first. */
export async function listSettingChanges(db: Database, limit: number): Promise<SettingChange[]> {
	const rows = await db.selectFrom("shop_setting_changes").selectAll().orderBy("id", "desc").limit(limit).execute();
	return rows.map(({ id: _, ...change }) => change as unknown as SettingChange);
}

/** The history of the days off, oldest first. */
export async function listDaysOffChanges(db: Database): Promise<DaysOffChange[]> {
	const rows = await db
		.selectFrom("shop_setting_changes")
		.select(["after", "changed_at"])
		.where("name", "=", "daysOff" satisfies SettingName)
		.orderBy("id")
		.execute();
	return rows as unknown as DaysOffChange[];
}

/** Clears the cached pages and the settings in memory, after the commit. */
export async function notifyPublicPages(db: Database | Trx): Promise<void> {
	await sql`select pg_notify(${changesChannel}, ${publicPagesSubject})`.execute(db);
}
