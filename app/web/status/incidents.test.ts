import { expect, test } from "vitest";
import { groupIncidents } from "./incidents.ts";
import { type Part, toProbeTime } from "./part.ts";

const at = (time: string) => new Date(`2026-11-21T${time}:00Z`);
/** Measures of a part five minutes apart: `+` worked, `-` failed, a blank is missing. */
const measures = (part: Part, from: Date, signs: string) =>
	[...signs].flatMap((sign, index) => (sign === " " ? [] : [{ part, at: new Date(from.getTime() + index * 300_000), ok: sign === "+" }]));
const oldestFirst = (rows: ReturnType<typeof measures>) => rows.sort((a, b) => a.at.getTime() - b.at.getTime());

test("consecutive failures are one incident, until the next success", () => {
	expect(groupIncidents(measures("payment", at("14:00"), "++---++-+"))).toEqual([
		{ part: "payment", from: at("14:35"), until: at("14:40") },
		{ part: "payment", from: at("14:10"), until: at("14:25") },
	]);
	expect(groupIncidents(measures("payment", at("14:00"), "++++"))).toEqual([]);
	expect(groupIncidents([])).toEqual([]);
});

test("an incident without a later success lasts, also at the start or the end of the measures", () => {
	expect(groupIncidents(measures("mail", at("14:00"), "---"))).toEqual([{ part: "mail", from: at("14:00"), until: null }]);
	expect(groupIncidents(measures("mail", at("14:00"), "+-"))).toEqual([{ part: "mail", from: at("14:05"), until: null }]);
});

test("each part has its own incidents", () => {
	const rows = oldestFirst([...measures("mail", at("14:00"), "+-+++"), ...measures("storage", at("14:00"), "+--++")]);
	expect(groupIncidents(rows)).toEqual(
		expect.arrayContaining([
			{ part: "mail", from: at("14:05"), until: at("14:10") },
			{ part: "storage", from: at("14:05"), until: at("14:15") },
		]),
	);
});

test("missing measures neither end nor start an incident", () => {
	expect(groupIncidents(measures("jobs", at("14:00"), "+-  -+   +"))).toEqual([{ part: "jobs", from: at("14:05"), until: at("14:25") }]);
});

test("the changes alone give the same incidents as all measures", () => {
	const all = measures("search", at("00:00"), "--++--- --++-+-  -+");
	const changes = all.filter(({ ok }, index) => all[index - 1]?.ok !== ok);
	expect(changes.length).toBeLessThan(all.length);
	expect(groupIncidents(changes)).toEqual(groupIncidents(all));
});

test("a probe counts for the due instant before it, or for the next one when the process's clock is slightly behind", () => {
	expect(toProbeTime(at("14:05"))).toEqual(at("14:05"));
	expect(toProbeTime(new Date("2026-11-21T14:09:20Z"))).toEqual(at("14:05"));
	expect(toProbeTime(new Date("2026-11-21T14:09:29.999Z"))).toEqual(at("14:05"));
	expect(toProbeTime(new Date("2026-11-21T14:09:30Z"))).toEqual(at("14:10"));
	expect(toProbeTime(new Date("2026-11-21T14:09:45Z"))).toEqual(at("14:10"));
});
