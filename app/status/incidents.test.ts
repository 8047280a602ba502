import { expect, test } from "vitest";
import { groupIncidents } from "./incidents.ts";
import { type Part, toProbeTime } from "./part.ts";

const at = (time: string) => new Date(`2026-11-21T${time}:00Z`);
/** Measures of a part five minutes apart: `+` worked, `-` failed, a blank is missing. */
const measures = (part: Part, from: Date, signs: string) =>
	[...signs].flatMap((sign, index) => (sign === " " ? [] : [{ part, at: new Date(from.getTime() + index * 300_000), ok: sign === "+" }]));
const oldestFirst = (rows: ReturnType<typeof measures>) => rows.sort((a, b) => a.at.getTime() - b.at.getTime());

test("failures in a row are one incident, until the next success", () => {
	expect(groupIncidents(measures("payment", at("14:00"), "++---++-+"))).toEqual([
		{ part: "payment", from: at("14:35"), until: at("14:40") },
		{ part: "payment", from: at("14:10"), until: at("14:25") },
	]);
	expect(groupIncidents(measures("payment", at("14:00"), "++++"))).toEqual([]);
	expect(groupIncidents([])).toEqual([]);
});

test("an incident that no success ended lasts, also where the measures begin or end with it", () => {
	expect(groupIncidents(measures("mail", at("14:00"), "---"))).toEqual([{ part: "mail", from: at("14:00"), until: null }]);
	expect(groupIncidents(measures("mail", at("14:00"), "+-"))).toEqual([{ part: "mail", from: at("14:05"), until: null }]);
});

test("parts fail each for themselves", () => {
	const rows = oldestFirst([...measures("mail", at("14:00"), "+-+++"), ...measures("storage", at("14:00"), "+--++")]);
	expect(groupIncidents(rows)).toEqual(
		expect.arrayContaining([
			{ part: "mail", from: at("14:05"), until: at("14:10") },
			{ part: "storage", from: at("14:05"), until: at("14:15") },
		]),
	);
});

test("missing measures do not end an incident; they do not make one either", () => {
	expect(groupIncidents(measures("jobs", at("14:00"), "+-  -+   +"))).toEqual([{ part: "jobs", from: at("14:05"), until: at("14:25") }]);
});

test("the changes alone say the same as all measures", () => {
	const all = measures("search", at("00:00"), "--++--- --++-+-  -+");
	const changes = all.filter(({ ok }, index) => all[index - 1]?.ok !== ok);
	expect(changes.length).toBeLessThan(all.length);
	expect(groupIncidents(changes)).toEqual(groupIncidents(all));
});

test("a measure belongs to the mark before it, or to the next where the clock of the process is a little behind", () => {
	expect(toProbeTime(at("14:05"))).toEqual(at("14:05"));
	expect(toProbeTime(new Date("2026-11-21T14:09:20Z"))).toEqual(at("14:05"));
	expect(toProbeTime(new Date("2026-11-21T14:09:29.999Z"))).toEqual(at("14:05"));
	expect(toProbeTime(new Date("2026-11-21T14:09:30Z"))).toEqual(at("14:10"));
	expect(toProbeTime(new Date("2026-11-21T14:09:45Z"))).toEqual(at("14:10"));
});
