import { expect, test } from "vitest";
import { isFrenchHoliday } from "./holidays.ts";
import { formatLongDay } from "./instants.ts";
import { announceArrival, computeArrival, describeTransits } from "./transit.ts";

test.each([
	["75009", "un à trois"],
	["20090", "un à trois"], // Ajaccio
	["98000", "un à trois"], // Monaco
	["97100", "cinq à sept"],
	["97133", "cinq à sept"], // Saint-Barthélemy
	["97150", "cinq à sept"], // Saint-Martin
	["97200", "cinq à sept"],
	["97300", "cinq à sept"],
	["97490", "cinq à sept"],
	["97700", "cinq à sept"],
	["97800", "cinq à sept"],
	["97500", "sept à dix"],
	["97600", "sept à dix"],
	["98413", "sept à dix"],
	["98600", "sept à dix"],
	["98714", "sept à dix"],
	["98800", "sept à dix"],
	["98799", "sept à dix"],
	["00223", "sept à dix"],
	["01000", "un à trois"],
	["96000", "un à trois"],
	["99000", "un à trois"],
	["", "un à trois"],
])("a letter to %s is %s working days on its way", (postalCode, days) => {
	const { from, to } = computeArrival(new Date("2027-02-01T10:00:00Z"), postalCode);
	const working = new Map([
		["un à trois", ["2", "4"]],
		["cinq à sept", ["8", "10"]],
		["sept à dix", ["10", "15"]],
	]).get(days);
	expect([from, to].map((day) => formatLongDay(day).split(/\s/)[0])).toEqual(working);
	expect(describeTransits()).toContain(days);
});

test("the texts name each territory once", () => {
	for (const place of ["métropole", "Monaco", "Guadeloupe", "Réunion", "Mayotte", "Nouvelle-Calédonie", "Wallis"])
		expect(describeTransits().split(place)).toHaveLength(2);
});

test.each([
	// a Wednesday: the weekend is between the first day and the last
	["2026-12-02T17:00:00Z", "75009", "le jeudi 3 et le lundi 7 décembre"],
	["2026-11-30T17:00:00Z", "75009", "le mardi 1er et le jeudi 3 décembre"],
	["2026-11-27T17:00:00Z", "75009", "le lundi 30 novembre et le mercredi 2 décembre"],
	// already the next day in Paris
	["2026-12-02T23:30:00Z", "75009", "le vendredi 4 et le mardi 8 décembre"],
	// Christmas and New Year’s Day are Fridays
	["2026-12-24T10:00:00Z", "75009", "le lundi 28 et le mercredi 30 décembre"],
	["2026-12-30T10:00:00Z", "75009", "le jeudi 31 décembre et le mardi 5 janvier"],
	// posted by a shop that is open on Saturday
	["2026-12-05T10:00:00Z", "98000", "le lundi 7 et le mercredi 9 décembre"],
	["2026-12-02T17:00:00Z", "97400", "le mercredi 9 et le vendredi 11 décembre"],
	["2026-12-02T17:00:00Z", "98800", "le vendredi 11 et le mercredi 16 décembre"],
])("a letter posted at %s to %s arrives between %s", (posted, postalCode, days) => {
	expect(announceArrival(new Date(posted), postalCode)).toBe(`Arrivée prévue entre ${days}.`);
});

test("of a customer who was erased, nothing is said", () => {
	expect(announceArrival(new Date("2026-12-02T17:00:00Z"), "")).toBeNull();
});

test("a letter arrives on working days, and as many of them after its posting as its territory takes", () => {
	const format = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Paris" });
	const isWorkingDay = (at: number) => {
		const day = format.format(at);
		return ![0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay()) && !isFrenchHoliday(day);
	};
	const start = Date.parse("2026-01-01T11:00:00Z");
	// every eleventh day: all weekdays, and holidays of three years
	for (let index = 0; index < 365 * 3; index += 11) {
		const posted = start + index * 86_400_000;
		for (const [code, first, last] of [
			["75001", 1, 3],
			["97200", 5, 7],
			["98800", 7, 10],
		] as const) {
			const { from, to } = computeArrival(new Date(posted), code);
			// the working days from the posting to the day of the arrival, at noon
			const count = (until: Date) => {
				let days = 0;
				for (let at = posted + 86_400_000; at < until.getTime() + 86_400_000 - 1; at += 86_400_000) days += isWorkingDay(at) ? 1 : 0;
				return days;
			};
			expect([isWorkingDay(from.getTime()), isWorkingDay(to.getTime()), count(from), count(to)]).toEqual([true, true, first, last]);
		}
	}
});
