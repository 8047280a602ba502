import { sql } from "kysely";
import { changeNotification, changesChannel, publicPagesSubject } from "../../../server/database/changes.ts";
import { toJson } from "../../../server/database/column-types.ts";
import type { Database, Trx } from "../../../server/database/database.ts";
import { typedKeys } from "../../../server/types/objects.ts";
import type { DaysOffChange } from "./days-off.ts";
import { defaultSettings, type SettingName, type ShopSettings } from "./shop-settings.ts";

/** All SQL on `shop_settings` and `shop_setting_changes`. */

declare module "../../../server/database/column-types.ts" {
	interface ColumnTypes {
		"shop_settings.value": ShopSettings[SettingName];
		"shop_setting_changes.name": SettingName;
		"shop_setting_changes.before": ShopSettings[SettingName];
		"shop_setting_changes.after": ShopSettings[SettingName];
	}
}

export interface SettingChange {
	name: SettingName;
	before: ShopSettings[SettingName];
	after: ShopSettings[SettingName];
	changed_by: string;
	operator_id: string | null;
	changed_at: Date;
}

/** The settings in force. A name that this version does not know is ignored; what was stored before a part of `books` existed has its default. */
export async function readSettings(db: Database | Trx): Promise<ShopSettings> {
	const { stored } = await db
		.selectFrom("shop_settings")
		.select(sql<Partial<ShopSettings> | null>`jsonb_object_agg(name, value)`.as("stored"))
		.where("name", "in", typedKeys(defaultSettings))
		.executeTakeFirstOrThrow();
	return { ...defaultSettings, ...stored, books: { ...defaultSettings.books, ...stored?.books } };
}

/** Changes wait for each other until the end of their transaction, so that none works on an earlier value. */
export async function lockSettings(trx: Trx): Promise<void> {
	await sql`lock table shop_settings in share row exclusive mode`.execute(trx);
}

/** Updates a setting with its line of history; the commit clears the cached pages and the settings in memory. */
export async function updateSetting(trx: Trx, { name, before, after, ...change }: SettingChange): Promise<void> {
	const value = toJson(after);
	await trx
		.insertInto("shop_settings")
		.values({ name, value })
		.onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
		.execute();
	await trx
		.insertInto("shop_setting_changes")
		.values({ name, before: toJson(before), after: value, ...change })
		.returning(changeNotification(publicPagesSubject))
		.execute();
}

/** Whether a setting of the promise clock has changed after an instant. */
export async function hasClockChangedSince(trx: Trx, since: Date): Promise<boolean> {
	const change = await trx
		.selectFrom("shop_setting_changes")
		.select("id")
		.where("name", "in", ["closure", "daysOff"])
		.where("changed_at", ">=", since)
		.limit(1)
		.executeTakeFirst();
	return change !== undefined;
}

/** The history, newest first. */
export async function listSettingChanges(db: Database, limit: number): Promise<SettingChange[]> {
	const rows = await db.selectFrom("shop_setting_changes").selectAll().orderBy("id", "desc").limit(limit).execute();
	return rows.map(({ id: _, ...change }) => change);
}

/** The history of the days off, oldest first. */
export async function listDaysOffChanges(db: Database): Promise<DaysOffChange[]> {
	const query = db.selectFrom("shop_setting_changes").select(["after", "changed_at"]).where("name", "=", "daysOff").orderBy("id");
	return query.$narrowType<Pick<DaysOffChange, "after">>().execute();
}

/** Clears the cached pages and the settings in memory, after the commit. */
export async function notifyPublicPages(db: Database | Trx): Promise<void> {
	await sql`select pg_notify(${changesChannel}, ${publicPagesSubject})`.execute(db);
}
