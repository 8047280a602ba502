import { day } from "../../../server/durations.ts";
import type { Context } from "../../../server/runtime.ts";
import { isFrenchHoliday } from "../holidays.ts";
import { parseOpeningHours } from "../opening-hours.ts";
import { addDays, leaveOpenings, removeDays, toParisDay } from "./days-off.ts";
import { lockSettings, readSettings, updateSetting } from "./shop-settings.store.server.ts";
import type { BooksSettings, Capacity, DayRange, RefundBrake, SettingName, ShopSettings } from "./shop-settings.ts";

/** The operator who changes a setting. */
export interface SettingAuthor {
	id: string | null;
	name: string;
}

export type SettingContext = Pick<Context, "db" | "now" | "log" | "environment">;

export type SettingRefusal =
	/** The end is not in the future, or more than three months away. */
	| "wrong-end"
	/** The days have passed, or end before they begin. */
	| "wrong-days"
	/** These days off would leave the shop closed for more than three months. */
	| "too-many-days"
	/** A limit is not a whole number from 1 to 100 000. */
	| "wrong-limit"
	/** The setting has this value already. */
	| "unchanged";

export type SettingOutcome = { ok: true; name: SettingName; before: unknown; after: unknown } | { ok: false; code: SettingRefusal };

const longestClosure = 93 * day;
const maxSentenceLength = 300;
const maxLimit = 100_000;

/** Closes the shop: nothing can be ordered until the instant, or until it is reopened. @param sentence for the public. */
export async function closeShop(
	context: SettingContext,
	by: SettingAuthor,
	{ until, sentence }: { until: Date | null; sentence: string | null },
): Promise<SettingOutcome> {
	if (!isPossibleEnd(until, context.now())) return { ok: false, code: "wrong-end" };
	const text = sentence?.replace(/\s+/g, " ").trim().slice(0, maxSentenceLength) || null;
	return changeSetting(context, by, "closure", () => ({ until: until?.toISOString() ?? null, sentence: text }));
}

export const reopenShop = (context: SettingContext, by: SettingAuthor): Promise<SettingOutcome> =>
	changeSetting(context, by, "closure", () => null);

/** Stops the sale of the express service. @param until null: until it is resumed. */
export async function pauseExpress(context: SettingContext, by: SettingAuthor, until: Date | null): Promise<SettingOutcome> {
	if (!isPossibleEnd(until, context.now())) return { ok: false, code: "wrong-end" };
	return changeSetting(context, by, "expressPause", () => ({ until: until?.toISOString() ?? null }));
}

export const resumeExpress = (context: SettingContext, by: SettingAuthor): Promise<SettingOutcome> =>
	changeSetting(context, by, "expressPause", () => null);

/** Adds days off. Promises already given do not change. */
export async function addDaysOff(context: SettingContext, by: SettingAuthor, range: DayRange): Promise<SettingOutcome> {
	const today = toParisDay(context.now()).toString();
	if (range.to < today || range.to < range.from) return { ok: false, code: "wrong-days" };
	const base = { ...parseOpeningHours(context.environment.openingHours), isHoliday: isFrenchHoliday };
	return changeSetting(context, by, "daysOff", ({ daysOff }) => {
		const after = addDays(daysOff, range, today);
		return leaveOpenings(base, after, context.now()) ? after : "too-many-days";
	});
}

export async function removeDaysOff(context: SettingContext, by: SettingAuthor, range: DayRange): Promise<SettingOutcome> {
	if (range.to < range.from) return { ok: false, code: "wrong-days" };
	return changeSetting(context, by, "daysOff", ({ daysOff }) => removeDays(daysOff, range));
}

/** Sets the limits that are given, and keeps the others. */
export async function setCapacity(context: SettingContext, by: SettingAuthor, limits: Partial<Capacity>): Promise<SettingOutcome> {
	if (!Object.values(limits).every(isPossibleLimit)) return { ok: false, code: "wrong-limit" };
	return changeSetting(context, by, "capacity", ({ capacity }) => ({ ...capacity, ...limits }));
}

/** Sets how many extracts the desk serves in an opening hour. */
export async function setPace(context: SettingContext, by: SettingAuthor, pace: number | null): Promise<SettingOutcome> {
	if (!isPossibleLimit(pace)) return { ok: false, code: "wrong-limit" };
	return changeSetting(context, by, "pace", () => pace);
}

export async function setRefundBrake(context: SettingContext, by: SettingAuthor, brake: RefundBrake): Promise<SettingOutcome> {
	if (!isPossibleLimit(brake.refunds) || !isPossibleLimit(brake.cents && Math.ceil(brake.cents / 100)))
		return { ok: false, code: "wrong-limit" };
	return changeSetting(context, by, "refundBrake", () => brake);
}

/** Switches the daily reading of the bulletin on or off. */
export const setBulletinReading = (context: SettingContext, by: SettingAuthor, on: boolean): Promise<SettingOutcome> =>
	changeSetting(context, by, "bulletinReading", () => on);

/** Sets how the books are written for the accountant's software. */
export const setBooks = (context: SettingContext, by: SettingAuthor, books: BooksSettings): Promise<SettingOutcome> =>
	changeSetting(context, by, "books", () => books);

const isPossibleEnd = (until: Date | null, now: Date) =>
	until === null || (until > now && until.getTime() <= now.getTime() + longestClosure);

const isPossibleLimit = (limit: number | null | undefined) =>
	limit === null || limit === undefined || (Number.isInteger(limit) && limit >= 1 && limit <= maxLimit);

/** @param change the value after, or a refusal. */
async function changeSetting<Name extends SettingName>(
	{ db, now, log }: SettingContext,
	{ id, name: author }: SettingAuthor,
	name: Name,
	change: (settings: ShopSettings) => ShopSettings[Name] | SettingRefusal,
): Promise<SettingOutcome> {
	return db.transaction().execute(async (trx) => {
		await lockSettings(trx);
		const settings = await readSettings(trx);
		const [before, after] = [settings[name], change(settings)];
		if (typeof after === "string") return { ok: false, code: after };
		if (isEqual(before, after)) return { ok: false, code: "unchanged" };
		await updateSetting(trx, { name, before, after, changed_by: author, operator_id: id, changed_at: now() });
		log.info({ setting: name, after: JSON.stringify(after) }, "a setting of the shop changes");
		return { ok: true, name, before, after };
	});
}

/** PostgreSQL sorts the keys of a JSON object. */
const isEqual = (a: unknown, b: unknown) => sortKeys(a) === sortKeys(b);
const sortKeys = (value: unknown) =>
	JSON.stringify(value, (_, part: unknown) =>
		part !== null && typeof part === "object" && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part,
	);
