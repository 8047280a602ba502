import { Temporal } from "temporal-polyfill";
import { typedKeys } from "../../../server/types/objects.ts";
import { zone } from "../instants.ts";
import {
	addDaysOff,
	closeShop,
	pauseExpress,
	removeDaysOff,
	reopenShop,
	resumeExpress,
	type SettingAuthor,
	type SettingContext,
	type SettingOutcome,
	setBulletinReading,
	setCapacity,
	setPace,
	setRefundBrake,
} from "./change-settings.server.ts";
import { toParisDay } from "./days-off.ts";
import { type Capacity, type DayRange, defaultSettings } from "./shop-settings.ts";

/** What an operator typed cannot be read: which field, and what it should be. */
export interface UnreadableSetting {
	ok: false;
	code: "unreadable-end" | "unreadable-day" | "unreadable-limit";
	field: string;
}

type Fields = Readonly<Record<string, string | undefined>>;

type Parsed<Value> = { ok: true; value: Value } | UnreadableSetting;

/** A change of a setting from what an operator typed. */
export type TypedChange = (context: SettingContext, by: SettingAuthor, fields: Fields) => Promise<SettingOutcome | UnreadableSetting>;

/** Parses the fields with the shop's clock, then changes the setting. */
const createChange =
	<Value>(
		parse: (fields: Fields, now: Date) => Parsed<Value>,
		change: (context: SettingContext, by: SettingAuthor, value: Value) => Promise<SettingOutcome>,
	): TypedChange =>
	async (context, by, fields) => {
		const parsed = parse(fields, context.now());
		return parsed.ok ? change(context, by, parsed.value) : parsed;
	};

export const typedChanges = {
	close: createChange(
		({ sentence, ...fields }, now) => {
			const end = parseEnd(fields, now);
			return end.ok ? { ok: true, value: { until: end.value, sentence: sentence ?? null } } : end;
		},
		(context, by, closure) => closeShop(context, by, closure),
	),
	reopen: ((context, by) => reopenShop(context, by)) satisfies TypedChange,
	pauseExpress: createChange(parseEnd, pauseExpress),
	resumeExpress: ((context, by) => resumeExpress(context, by)) satisfies TypedChange,
	addDaysOff: createChange(parseDays, addDaysOff),
	removeDaysOff: createChange(parseDays, removeDaysOff),
	setCapacity: createChange(parseCapacity, setCapacity),
	setPace: createChange(parsePace, setPace),
	setRefundBrake: createChange(parseBrake, setRefundBrake),
	readBulletin: ((context, by) => setBulletinReading(context, by, true)) satisfies TypedChange,
	stopBulletin: ((context, by) => setBulletinReading(context, by, false)) satisfies TypedChange,
} satisfies Record<string, TypedChange>;

/** `until`: « today », an instant in Paris, or nothing: without an end. */
function parseEnd({ until = "" }: Fields, now: Date): Parsed<Date | null> {
	if (until === "") return { ok: true, value: null };
	const end = until === "today" ? findEndOfDay(now) : parseLocalInstant(until, now);
	return end ? { ok: true, value: end } : { ok: false, code: "unreadable-end", field: "until" };
}

/** `from` and `to`; one day without `to`. */
function parseDays({ from = "", to = "" }: Fields, now: Date): Parsed<DayRange> {
	const first = parseDay(from, now);
	const last = to.trim() === "" ? first : parseDay(to, now);
	if (first === null) return { ok: false, code: "unreadable-day", field: "from" };
	return last === null ? { ok: false, code: "unreadable-day", field: "to" } : { ok: true, value: { from: first, to: last } };
}

/** The limits that are given. */
function parseCapacity(fields: Fields): Parsed<Partial<Capacity>> {
	const limits: Partial<Capacity> = {};
	for (const name of typedKeys(defaultSettings.capacity)) {
		const typed = fields[name];
		const limit = typed === undefined ? null : parseLimit(typed);
		if (limit === undefined) return { ok: false, code: "unreadable-limit", field: name };
		if (typed !== undefined) limits[name] = limit;
	}
	return { ok: true, value: limits };
}

function parsePace({ pace = "" }: Fields): Parsed<number | null> {
	const value = parseLimit(pace);
	return value === undefined ? { ok: false, code: "unreadable-limit", field: "pace" } : { ok: true, value };
}

function parseBrake(fields: Fields): Parsed<{ refunds: number | null; cents: number | null }> {
	const [refunds, euros] = [parseLimit(fields.refunds ?? ""), parseLimit(fields.euros ?? "")];
	if (refunds === undefined) return { ok: false, code: "unreadable-limit", field: "refunds" };
	if (euros === undefined) return { ok: false, code: "unreadable-limit", field: "euros" };
	return { ok: true, value: { refunds, cents: euros === null ? null : euros * 100 } };
}

/** Parses « 24/12/2026 » or « 2026-12-24 » into an ISO day; without a year, the next such day. Null for any other text. */
export function parseDay(text: string, now: Date): string | null {
	const typed = text.trim();
	const [, iso] = /^(\d{4}-\d\d-\d\d)$/.exec(typed) ?? [];
	const [, day = "", month = "", year] = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(typed) ?? [];
	if (iso === undefined && day === "") return null;
	const today = toParisDay(now);
	try {
		if (iso !== undefined) return Temporal.PlainDate.from(iso).toString();
		const given = { day: Number(day), month: Number(month) };
		const found = Temporal.PlainDate.from({ ...given, year: Number(year ?? today.year) }, { overflow: "reject" });
		const isPast = year === undefined && Temporal.PlainDate.compare(found, today) < 0;
		return (isPast ? Temporal.PlainDate.from({ ...given, year: today.year + 1 }, { overflow: "reject" }) : found).toString();
	} catch {
		return null; // no such day
	}
}

/**
 * Parses an instant in Paris: « 14h », « 14h30 » or « 14:30 » of today, a day with such an hour, or a day alone: its beginning.
 * Also the value of a field of type datetime-local.
 */
export function parseLocalInstant(text: string, now: Date): Date | null {
	const [, typedDay = "", hour, minute] =
		/^(?:(?=[^\sT]*[/-])([^\sT]+)(?:[ T]+|$))?(?:(\d{1,2})\s*[h:]\s*(\d\d)?)?$/.exec(text.trim()) ?? [];
	if (typedDay === "" && hour === undefined) return null;
	const day = typedDay === "" ? toParisDay(now).toString() : parseDay(typedDay, now);
	if (day === null || Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59) return null;
	const plainTime = new Temporal.PlainTime(Number(hour ?? 0), Number(minute ?? 0));
	return new Date(Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds);
}

/** The end of today in Paris. */
const findEndOfDay = (now: Date): Date => new Date(toParisDay(now).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds);

/** Parses a limit: a whole number, or no limit for « - », « aucune » or nothing. Undefined for any other text. */
export function parseLimit(text: string): number | null | undefined {
	const typed = text.trim().toLowerCase();
	if (typed === "" || typed === "-" || typed === "aucune") return null;
	return /^\d{1,6}$/.test(typed) ? Number(typed) : undefined;
}
