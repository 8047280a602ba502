import { describe, expect, test } from "vitest";
import { isFrenchHoliday } from "../holidays.ts";
import { findNextOpening, parseOpeningHours } from "../opening-hours.ts";
import { computePromise } from "../promise.ts";
import { findFull, type Place } from "./capacity.ts";
import { addDays, findNearDaysOff, leaveOpenings, removeDays, toCalendar } from "./days-off.ts";
import { describeSales } from "./sales.ts";
import { formatDayRange } from "./sales-sentences.ts";
import { type Capacity, defaultSettings, type ShopSettings } from "./shop-settings.ts";
import { parseDay, parseLimit, parseLocalInstant } from "./typed-changes.server.ts";

const base = { ...parseOpeningHours("Mo-Fr 08:00-18:00"), isHoliday: isFrenchHoliday };
const paris = (text: string) => new Date(`${text.replace(" ", "T")}:00+01:00`);
const plain = (text: string) => text.replaceAll("\u00a0", " ");

describe("the promise clock", () => {
	const promise = (service: "express" | "standard" | "postal", at: string, settings: Partial<ShopSettings>) =>
		computePromise(service, paris(at), toCalendar(base, { ...defaultSettings, ...settings }, paris(at)));
	const off = (from: string, to = from) => ({ daysOff: [{ from, to }] });

	test.each([
		["a day off counts like a holiday", "express", "2026-11-23 17:00", off("2026-11-24"), "2026-11-25 09:00"],
		["paid on a day off", "express", "2026-11-24 11:00", off("2026-11-24"), "2026-11-25 10:00"],
		["a letter loses no working day", "postal", "2026-11-23 10:00", off("2026-11-24"), "2026-11-26 18:00"],
		["a week off, over a weekend", "standard", "2026-11-20 15:00", off("2026-11-23", "2026-11-27"), "2026-11-30 09:00"],
		["a day off on a Sunday changes nothing", "express", "2026-11-20 17:00", off("2026-11-22"), "2026-11-23 09:00"],
		["a whole August", "express", "2026-11-23 17:00", off("2026-11-24", "2027-02-10"), "2027-02-11 09:00"],
		[
			"closed for three hours",
			"express",
			"2026-11-23 10:00",
			{ closure: { until: paris("2026-11-23 13:00").toISOString(), sentence: null } },
			"2026-11-23 15:00",
		],
		[
			"closed until the evening",
			"express",
			"2026-11-23 10:00",
			{ closure: { until: paris("2026-11-23 19:00").toISOString(), sentence: null } },
			"2026-11-24 10:00",
		],
		[
			"closed without an end: today does not count",
			"express",
			"2026-11-23 10:00",
			{ closure: { until: null, sentence: null } },
			"2026-11-24 10:00",
		],
		[
			"a closure that is over",
			"express",
			"2026-11-23 10:00",
			{ closure: { until: paris("2026-11-23 09:00").toISOString(), sentence: null } },
			"2026-11-23 12:00",
		],
	] as const)("%s", (_, service, at, settings, expected) => {
		expect(promise(service, at, settings)).toEqual(paris(expected));
	});

	test("the next opening is after the days off and the closure", () => {
		const calendar = toCalendar(base, { daysOff: [{ from: "2026-11-24", to: "2026-11-25" }], closure: null }, paris("2026-11-23 19:00"));
		expect(findNextOpening(paris("2026-11-23 19:00"), calendar)).toEqual(paris("2026-11-26 08:00"));
	});
});

describe("days off", () => {
	test("ranges that touch are joined, and past ones are left out", () => {
		const days = addDays(
			[
				{ from: "2026-11-01", to: "2026-11-02" },
				{ from: "2026-12-24", to: "2026-12-25" },
			],
			{ from: "2026-12-26", to: "2026-12-31" },
			"2026-11-23",
		);
		expect(days).toEqual([{ from: "2026-12-24", to: "2026-12-31" }]);
		expect(addDays(days, { from: "2026-12-25", to: "2026-12-26" }, "2026-11-23")).toEqual(days);
	});

	test("removing a day splits a range", () => {
		const days = [{ from: "2026-12-24", to: "2026-12-31" }];
		expect(removeDays(days, { from: "2026-12-28", to: "2026-12-28" })).toEqual([
			{ from: "2026-12-24", to: "2026-12-27" },
			{ from: "2026-12-29", to: "2026-12-31" },
		]);
		expect(removeDays(days, { from: "2026-12-01", to: "2027-01-31" })).toEqual([]);
		expect(removeDays(days, { from: "2027-01-01", to: "2027-01-31" })).toEqual(days);
	});

	test("more than three months in a row are too many", () => {
		expect(leaveOpenings(base, [{ from: "2026-12-01", to: "2027-02-20" }], paris("2026-11-23 10:00"))).toBe(true);
		expect(leaveOpenings(base, [{ from: "2026-12-01", to: "2027-03-20" }], paris("2026-11-23 10:00"))).toBe(false);
	});

	test("pages name those of the coming week that are working days", () => {
		const days = [
			{ from: "2026-11-28", to: "2026-11-29" },
			{ from: "2026-11-27", to: "2026-11-27" },
			{ from: "2026-12-24", to: "2026-12-25" },
		];
		expect(findNearDaysOff(base, days, paris("2026-11-23 10:00"))).toEqual([{ from: "2026-11-27", to: "2026-11-27" }]);
	});

	test.each([
		["2026-12-24", "2026-12-24", "le jeudi 24 décembre"],
		["2026-12-24", "2026-12-25", "du jeudi 24 au vendredi 25 décembre"],
		["2026-12-31", "2027-01-01", "du jeudi 31 décembre au vendredi 1er janvier"],
	])("%s to %s reads « %s »", (from, to, expected) => {
		expect(plain(formatDayRange({ from, to }))).toBe(expected);
	});
});

describe("the most orders an hour", () => {
	const limits = (given: Partial<Capacity>): Capacity => ({ ...defaultSettings.capacity, ...given });
	const places = (...services: Place["service"][]): Place[] =>
		services.map((service, index) => ({ service, freeAt: paris(`2026-11-23 11:${10 + index}`) }));

	test("a service closes at its own limit, until its first place is free", () => {
		const full = findFull(limits({ express: 2 }), places("standard", "express", "express"));
		expect(full).toEqual({ express: paris("2026-11-23 11:11") });
		expect(findFull(limits({ express: 2 }), places("standard", "express"))).toEqual({});
	});

	test("with more than the limit, more places must be free first", () => {
		expect(findFull(limits({ express: 1 }), places("express", "express", "express"))).toEqual({ express: paris("2026-11-23 11:12") });
	});

	test("under a common limit the express service closes first, at four fifths", () => {
		expect(findFull(limits({ all: 5 }), places("standard", "postal", "express"))).toEqual({});
		expect(Object.keys(findFull(limits({ all: 5 }), places("standard", "postal", "express", "standard")))).toEqual(["express"]);
		expect(Object.keys(findFull(limits({ all: 5 }), places("standard", "postal", "express", "standard", "standard")))).toHaveLength(3);
		expect(findFull(limits({ all: 1 }), [])).toEqual({});
	});
});

describe("what pages say", () => {
	const now = paris("2026-11-23 10:00");
	const notices = (settings: Partial<ShopSettings>, full = {}) =>
		describeSales({ ...defaultSettings, ...settings }, { full, slots: [] }, base, now).notices.map(({ title }) => plain(title));

	test.each<[Partial<ShopSettings>, string[]]>([
		[{}, []],
		[{ closure: { until: null, sentence: null } }, ["Les commandes sont suspendues pour le moment."]],
		[
			{ closure: { until: paris("2026-11-23 14:00").toISOString(), sentence: null } },
			["Les commandes sont suspendues jusqu’à 14 h, heure de Paris."],
		],
		[
			{ closure: { until: paris("2026-11-24 08:00").toISOString(), sentence: null } },
			["Les commandes sont suspendues jusqu’au mardi 24 novembre à 8 h, heure de Paris."],
		],
		[{ expressPause: { until: paris("2026-11-24 00:00").toISOString() } }, ["Le KBIS Express n’est pas proposé aujourd’hui."]],
		[
			{ expressPause: { until: paris("2026-11-25 00:00").toISOString() } },
			["Le KBIS Express n’est pas proposé jusqu’au mardi 24 novembre inclus."],
		],
		[{ expressPause: { until: paris("2026-11-23 09:00").toISOString() } }, []],
		[{ daysOff: [{ from: "2026-11-26", to: "2026-11-27" }] }, ["Nous sommes fermés du jeudi 26 au vendredi 27 novembre."]],
	])("%j", (settings, expected) => {
		expect(notices(settings)).toEqual(expected);
	});

	test("a limit that is reached says from when a place may be free", () => {
		const from = paris("2026-11-23 10:41");
		expect(notices({}, { express: from })).toEqual(["Le KBIS Express est complet. Il rouvre au plus tôt à 10 h 41, heure de Paris."]);
		expect(notices({}, { express: from, standard: from, postal: from })).toEqual([
			"Vous pourrez commander au plus tôt à 10 h 41, heure de Paris.",
		]);
		expect(notices({}, { express: now })).toEqual([]);
	});
});

describe("what operators type", () => {
	const now = paris("2026-11-23 10:00");
	test.each([
		["14h", "2026-11-23 14:00"],
		["14h30", "2026-11-23 14:30"],
		["14:30", "2026-11-23 14:30"],
		["24/11 8h", "2026-11-24 08:00"],
		["24/11/2026 08:15", "2026-11-24 08:15"],
		["2026-11-24T08:15", "2026-11-24 08:15"],
		["24/11/2026", "2026-11-24 00:00"],
		["03/01", "2027-01-03 00:00"],
	])("« %s »", (text, expected) => {
		expect(parseLocalInstant(text, now)).toEqual(paris(expected));
	});

	test.each(["", "demain", "31/11/2026", "24h", "14h75", "2026-13-01", "1/2/3/4"])("« %s » is refused", (text) => {
		expect(parseLocalInstant(text, now)).toBeNull();
		expect(parseDay(text, now)).toBeNull();
	});

	test("limits", () => {
		expect(["12", "-", "", "aucune", "douze", "1.5", "-3"].map(parseLimit)).toEqual([
			12,
			null,
			null,
			null,
			undefined,
			undefined,
			undefined,
		]);
	});
});
