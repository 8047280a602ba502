import { expect, test } from "vitest";
import type { ArrangedNotices } from "./arrange-notices.ts";
import { createTimeline, type RegisterDates, type TimelineEntry } from "./timeline.ts";

const notice = (publishedOn: string) =>
	({ id: publishedOn, publishedOn, family: "modification", correction: null, court: null, kind: null, eventOn: null, url: "" }) as const;
const arrange = (first: string[], folded: string[]): ArrangedNotices => ({
	first: first.map(notice),
	folded: folded.map(notice),
	total: first.length + folded.length,
	olderInsolvency: 0,
});
/** A notice by its day, a day of a register with its label. */
const list = (entries: readonly TimelineEntry[]) =>
	entries.map((entry) => ("notice" in entry ? entry.notice.publishedOn : `${entry.day} ${entry.label}`));
const none: RegisterDates = { creationDate: null, registrationDate: null, removalDate: null };

const years = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => `${from - index}-06-01`);

test.each<[string, string, string[], string[], string[], string[]]>([
	["newer than all notices", "2026-01-01", years(2025, 2024), [], ["2026-01-01 Radiation du registre", ...years(2025, 2024)], []],
	["between them", "2025-01-01", years(2025, 2024), [], ["2025-06-01", "2025-01-01 Radiation du registre", "2024-06-01"], []],
	["of the day of a notice", "2024-06-01", years(2025, 2024), [], [...years(2025, 2024), "2024-06-01 Radiation du registre"], []],
	["older than all", "2020-01-01", years(2025, 2024), [], [...years(2025, 2024), "2020-01-01 Radiation du registre"], []],
	[
		"before the fold",
		"2026-01-01",
		years(2025, 2021),
		["2020-06-01"],
		["2026-01-01 Radiation du registre", ...years(2025, 2021)],
		["2020-06-01"],
	],
	[
		"after the fold",
		"2019-01-01",
		years(2025, 2021),
		years(2020, 2018),
		years(2025, 2021),
		["2020-06-01", "2019-06-01", "2019-01-01 Radiation du registre", "2018-06-01"],
	],
	["at the fold", "2021-01-01", years(2025, 2021), ["2020-06-01"], years(2025, 2021), ["2021-01-01 Radiation du registre", "2020-06-01"]],
	// insolvency comes first whatever its day
	[
		"beside insolvency",
		"2026-01-01",
		["2018-06-01", "2025-06-01"],
		[],
		["2026-01-01 Radiation du registre", "2018-06-01", "2025-06-01"],
		[],
	],
])("a removal %s stands by its day", (_case, removalDate, first, folded, shown, hidden) => {
	const timeline = createTimeline(arrange(first, folded), { ...none, removalDate });
	expect([list(timeline.first), list(timeline.folded)]).toEqual([shown, hidden]);
});

test.each<[Partial<RegisterDates>, string[]]>([
	[{}, []],
	[{ creationDate: "1955-01-01" }, ["1955-01-01 Création"]],
	[{ registrationDate: "1955-03-01" }, ["1955-03-01 Immatriculation"]],
	[{ creationDate: "1955-01-01", registrationDate: "1955-03-01" }, ["1955-03-01 Immatriculation", "1955-01-01 Création"]],
])("the oldest days of %j are %j", (dates, origin) => {
	const timeline = createTimeline(arrange(years(2025, 2021), ["2020-06-01"]), { ...none, ...dates });
	expect(list(timeline.origin)).toEqual(origin);
	expect(list([...timeline.first, ...timeline.folded])).toEqual(years(2025, 2020));
});
