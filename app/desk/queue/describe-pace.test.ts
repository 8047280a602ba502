import { expect, test } from "vitest";
import { hour } from "../../../server/durations.ts";
import { parseOpeningHours } from "../../catalogue/opening-hours.ts";
import { describePace } from "./describe-pace.ts";

/** A Monday, 8 h in Paris. */
const now = new Date("2026-11-23T07:00:00Z");
const calendar = { ...parseOpeningHours("Mo-Fr 08:00-18:00"), isHoliday: () => false };

test.each<[string, number, [hours: number, orders: number][], string | null]>([
	["nothing waits", 12, [], null],
	["nothing is promised for today", 12, [[24, 5]], null],
	[
		"all is kept",
		12,
		[
			[2, 5],
			[4, 27],
		],
		"la dernière commande promise pour aujourd’hui serait servie à 10\u00a0h\u00a040.",
	],
	["one is lost", 12, [[1, 13]], "une promesse ne serait pas tenue, celle de 9\u00a0h."],
	[
		"several are lost",
		12,
		[
			[1, 14],
			[24, 5],
		],
		"2 promesses ne seraient pas tenues, la première à 9\u00a0h.",
	],
	["the first of them is tomorrow’s", 12, [[24, 122]], "2 promesses ne seraient pas tenues, la première mardi 24 novembre à 8\u00a0h."],
	[
		"late ones need the next morning",
		12,
		[[-1, 132]],
		"la dernière commande promise pour aujourd’hui serait servie mardi 24 novembre à 9\u00a0h.",
	],
])("when %s", (_, pace, rows, expected) => {
	const load = rows.map(([hours, singles]) => ({ at: new Date(now.getTime() + hours * hour), singles, lists: 0 }));
	const described = (isMeasured: boolean) => describePace({ load, pace, now, calendar, isMeasured });
	expect(described(true)).toBe(expected && `À ce rythme, 12 par heure, ${expected}`);
	expect(described(false)).toBe(expected && `Au rythme réglé, 12 par heure, ${expected}`);
});
