import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hour, minute } from "../../server/durations.ts";
import { chooseNext, type Desk, type Due, forecast, listSlots, mostSingleLines } from "./forecast.ts";
import { parseOpeningHours } from "./opening-hours.ts";
import { measureOpenTime } from "./promise.ts";

/** A Monday, 8 h in Paris: the shop opens. */
const now = new Date("2026-11-23T07:00:00Z");
const calendar = { ...parseOpeningHours("Mo-Fr 08:00-18:00"), isHoliday: () => false };
const at = (hours: number) => new Date(now.getTime() + hours * hour);

/** [hours from now, single orders, lines of lists] */
type Row = readonly [hours: number, singles: number, lists: number];
const desk = (pace: number, rows: readonly Row[], from = now): Desk => ({
	load: rows.map(([hours, singles, lists]) => ({ at: at(hours), singles, lists })),
	pace,
	now: from,
	calendar,
});

describe("what comes next", () => {
	// five minutes of a pace of 12 are one extract
	test.each<[string, number, Row[], ReturnType<typeof chooseNext>]>([
		["nothing waits", 12, [], "single"],
		["only single orders wait", 12, [[2, 5, 0]], "single"],
		[
			"lines of lists have time",
			12,
			[
				[2, 0, 22],
				[4, 1, 0],
			],
			"single",
		],
		[
			"the last of them would be late",
			12,
			[
				[2, 0, 23],
				[4, 1, 0],
			],
			"earliest",
		],
		[
			"single orders alone have just enough time",
			12,
			[
				[2, 0, 23],
				[4, 46, 0],
			],
			"earliest",
		],
		[
			"single orders alone are too many",
			12,
			[
				[2, 0, 23],
				[4, 47, 0],
			],
			"single",
		],
		[
			"a single order is late",
			12,
			[
				[-1, 1, 0],
				[2, 0, 23],
			],
			"single",
		],
		[
			"a line is late",
			12,
			[
				[-1, 0, 1],
				[4, 1, 0],
			],
			"earliest",
		],
		[
			"the lines are promised after the next single order",
			12,
			[
				[2, 1, 0],
				[4, 0, 100],
			],
			"single",
		],
		["a line shares its hour with a single order", 12, [[2, 1, 200]], "single"],
		["only lines wait, with time", 12, [[2, 0, 1]], "single"],
		["only lines wait, without", 12, [[1, 0, 50]], "earliest"],
		[
			"the night is no time to serve",
			12,
			[
				[24, 0, 118],
				[25, 1, 0],
			],
			"single",
		],
		[
			"nor is a part of it",
			12,
			[
				[24, 0, 119],
				[25, 1, 0],
			],
			"earliest",
		],
	])("when %s", (_, pace, rows, expected) => {
		expect(chooseNext(desk(pace, rows))).toBe(expected);
	});

	/** Serves a load one by one, as « Prendre la suivante » chooses. @returns how many of each kind are served late. */
	function play({ pace, load }: Desk): { singles: number; lists: number } {
		let waiting = load.map((due) => ({ ...due }));
		const late = { singles: 0, lists: 0 };
		for (let clock = now.getTime(); waiting.length > 0; clock += hour / pace) {
			const next = chooseNext({ load: waiting, pace, now: new Date(clock), calendar });
			const first = (next === "single" && waiting.find(({ singles }) => singles > 0)) || waiting[0];
			if (first === undefined) break;
			const kind = first.singles > 0 ? "singles" : "lists";
			first[kind]--;
			if (clock + hour / pace > first.at.getTime()) late[kind]++;
			waiting = waiting.filter(({ singles, lists }) => singles + lists > 0);
		}
		return late;
	}

	const pace = fc.integer({ min: 6, max: 60 });
	const counts = fc.record({ singles: fc.nat(12), lists: fc.nat(40) });
	/** A load of this morning, without promises that the desk could not keep: `fits` says what counts. */
	const loads = (fits: (until: Omit<Due, "at">, served: number) => boolean) =>
		fc.tuple(pace, fc.array(fc.tuple(fc.integer({ min: 20, max: 590 }), counts), { maxLength: 12 })).map(([pace, rows]) => {
			const until = { singles: 0, lists: 0 };
			const load = rows
				.sort(([one], [other]) => one - other)
				.flatMap(([minutes, { singles, lists }]) => {
					const served = (pace * (minutes - 5)) / 60 - 1;
					if (!fits({ singles: until.singles + singles, lists: until.lists + lists }, served)) return [];
					until.singles += singles;
					until.lists += lists;
					return singles + lists > 0 ? [{ at: new Date(now.getTime() + minutes * minute), singles, lists }] : [];
				});
			return { load, pace, now, calendar };
		});

	test("keeps every promise that the desk can keep", () => {
		const possible = loads(({ singles, lists }, served) => singles + lists <= served);
		fc.assert(fc.property(possible, (desk) => void expect(play(desk)).toEqual({ singles: 0, lists: 0 })));
	});

	test("keeps every single order's promise, however many lines of lists wait", () => {
		const possible = loads(({ singles }, served) => singles <= served);
		fc.assert(fc.property(possible, (desk) => void expect(play(desk).singles).toBe(0)));
	});
});

describe("the forecast", () => {
	test.each<[string, Desk, ReturnType<typeof forecast>]>([
		["of an empty desk says nothing", desk(12, []), { lost: 0, firstLost: null, lastServed: null }],
		[
			"of a calm one says when the last is served",
			desk(12, [
				[2, 3, 0],
				[4, 0, 3],
			]),
			{ lost: 0, firstLost: null, lastServed: at(0.5) },
		],
		[
			"counts what is promised for another day for that day",
			desk(12, [
				[2, 6, 0],
				[24, 60, 0],
			]),
			{ lost: 0, firstLost: null, lastServed: at(0.5) },
		],
		["counts a promise that is just kept as kept", desk(12, [[1, 12, 0]]), { lost: 0, firstLost: null, lastServed: at(1) }],
		[
			"counts the lost ones, and the hour of the first",
			desk(12, [
				[1, 10, 3],
				[2, 13, 0],
				[3, 1, 0],
			]),
			{ lost: 3, firstLost: at(1), lastServed: at(27 / 12) },
		],
		[
			"does not count lost ones twice",
			desk(12, [
				[1, 2, 0],
				[1.25, 20, 0],
			]),
			{ lost: 7, firstLost: at(1.25), lastServed: at(22 / 12) },
		],
		[
			"counts late ones as work, not as lost",
			desk(12, [
				[-1, 12, 0],
				[0, 6, 0],
				[2, 1, 0],
			]),
			{ lost: 0, firstLost: null, lastServed: at(19 / 12) },
		],
		["goes on the next morning", desk(12, [[9, 126, 0]]), { lost: 18, firstLost: at(9), lastServed: at(24.5) }],
	])("%s", (_, given, expected) => {
		expect(forecast(given, at(16))).toEqual(expected);
	});
});

describe("the slots of a purchase", () => {
	/** In minutes of work from now, by the rank of the line. */
	const slots = (desk: Desk, count = 200) =>
		measureOpenTime(now, listSlots(desk, count), calendar).map((time) => Math.round(time / minute));

	// at a pace of 12, an extract takes five minutes, and one is in hand; three hours are kept, and a third of the pace is for lists
	test.each<[string, Row[], Record<number, number>]>([
		["begin with what is in hand", [], { 0: 10, 1: 15, 4: 30 }],
		["go on after the hours that are kept", [], { 5: 215 }],
		["go on at a third of the pace", [], { 50: 46 * 15, 199: 195 * 15 }],
		["come after what must be served before", [[1, 6, 0]], { 0: 10, 4: 30 }],
		["come after what is promised sooner, where it fills the time", [[1, 11, 0]], { 0: 65, 4: 85 }],
		[
			"leave room for what is promised later",
			[
				[1, 3, 0],
				[2, 20, 0],
			],
			{ 0: 125, 4: 145 },
		],
		[
			"find one place before it, and the next after it",
			[
				[1, 3, 0],
				[2, 19, 0],
			],
			{ 0: 10, 1: 125 },
		],
		["come after what is late", [[-1, 3, 3]], { 0: 40 }],
		["of a list come after the lines of other lists", [[10, 0, 30]], { 4: 30, 5: 215, 14: 260, 15: 615, 16: 630 }],
		[
			"of a list stand before them while there is room for all",
			[
				[10, 0, 30],
				[29, 0, 20],
			],
			{ 5: 215, 14: 260, 15: 915 },
		],
	])("%s", (_, rows, expected) => {
		const found = slots(desk(12, rows));
		expect(Object.fromEntries(Object.keys(expected).map((rank) => [rank, found[Number(rank)]]))).toEqual(expected);
	});

	test("end in the opening hours, at full minutes", () => {
		expect(listSlots(desk(7, []), 1)).toEqual([new Date("2026-11-23T07:14:00Z")]);
		expect(listSlots(desk(12, [[9, 110, 0]]), 2)).toEqual([new Date("2026-11-23T16:20:00Z"), new Date("2026-11-23T16:25:00Z")]);
		expect(listSlots(desk(12, [[10, 119, 0]]), 1)).toEqual([new Date("2026-11-24T07:05:00Z")]);
	});

	const purchases = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 12 });
	/** A load that arises by selling purchases of so many lines, one after the other, at their slots. */
	const sell = (pace: number, sizes: readonly number[]): Desk => {
		let load: Due[] = [];
		for (const size of sizes) {
			const kind = size > mostSingleLines ? "lists" : "singles";
			const added = listSlots({ load, pace, now, calendar }, size).map((at) => ({ at, singles: 0, lists: 0, [kind]: 1 }));
			load = [...load, ...added].sort((one, other) => one.at.getTime() - other.at.getTime());
		}
		return { load, pace, now, calendar };
	};

	test("keep every promise that was given, and rise with the rank", () => {
		fc.assert(
			fc.property(fc.integer({ min: 6, max: 60 }), purchases, (pace, sizes) => {
				const sold = sell(pace, sizes);
				expect(forecast(sold, at(1000)).lost).toBe(0);
				const next = slots(sold);
				expect(next).toEqual(next.toSorted((one, other) => one - other));
			}),
		);
	});

	test("of a list leave single orders where they were, but for its first lines", () => {
		fc.assert(
			fc.property(fc.integer({ min: 6, max: 60 }), fc.integer({ min: 6, max: 200 }), (pace, size) => {
				const before = slots(desk(pace, []), 1)[0] ?? 0;
				const after = slots(sell(pace, [size]), 1)[0] ?? 0;
				expect(after - before).toBeLessThanOrEqual(Math.ceil((mostSingleLines * 60) / pace));
			}),
		);
	});
});
