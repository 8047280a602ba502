import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { type ClosedServices, describeArrival, describeDeadline, describeDelivery, formatDeadlines } from "./deadlines.ts";
import { isFrenchHoliday } from "./holidays.ts";
import { findNextOpening, formatOpeningHours, type OpeningCalendar, parseOpeningHours } from "./opening-hours.ts";
import { computePromise } from "./promise.ts";
import { type ServiceCode, serviceCodes } from "./services.ts";

const createCalendar = (hours = "Mo-Fr 08:00-18:00"): OpeningCalendar => ({ ...parseOpeningHours(hours), isHoliday: isFrenchHoliday });

const createOffer = (closed: ClosedServices = {}) => ({ calendar: createCalendar(), slots: [], closed });

/** « 2026-11-20 17:00 » on the clocks of Paris; an offset distinguishes the two equal hours of the change to winter time. */
function parseParisTime(text: string): Date {
	const [day, time, offset] = text.split(" ");
	const zoned = Temporal.ZonedDateTime.from(`${day}T${time}${offset ?? ""}[Europe/Paris]`);
	return new Date(zoned.epochMilliseconds);
}

const formatParisTime = (instant: Date) =>
	Temporal.Instant.fromEpochMilliseconds(instant.getTime())
		.toZonedDateTimeISO("Europe/Paris")
		.toPlainDateTime()
		.toString({ smallestUnit: "minute" })
		.replace("T", " ");

const promisedTime = (service: ServiceCode, paid: string, hours?: string) =>
	formatParisTime(computePromise(service, parseParisTime(paid), createCalendar(hours)));

describe("the promise for a payment in the usual opening hours", () => {
	test.each`
		paid                  | when                                    | express               | standard              | postal
		${"2026-11-17 10:00"} | ${"a Tuesday morning"}                  | ${"2026-11-17 12:00"} | ${"2026-11-17 14:00"} | ${"2026-11-19 18:00"}
		${"2026-11-17 10:17"} | ${"to the minute"}                      | ${"2026-11-17 12:17"} | ${"2026-11-17 14:17"} | ${"2026-11-19 18:00"}
		${"2026-11-17 08:00"} | ${"at the very opening"}                | ${"2026-11-17 10:00"} | ${"2026-11-17 12:00"} | ${"2026-11-19 18:00"}
		${"2026-11-17 07:59"} | ${"a minute before the opening"}        | ${"2026-11-17 10:00"} | ${"2026-11-17 12:00"} | ${"2026-11-19 18:00"}
		${"2026-11-17 00:00"} | ${"at midnight"}                        | ${"2026-11-17 10:00"} | ${"2026-11-17 12:00"} | ${"2026-11-19 18:00"}
		${"2026-11-17 16:00"} | ${"just early enough for today"}        | ${"2026-11-17 18:00"} | ${"2026-11-18 10:00"} | ${"2026-11-19 18:00"}
		${"2026-11-17 16:01"} | ${"a minute too late for today"}        | ${"2026-11-18 08:01"} | ${"2026-11-18 10:01"} | ${"2026-11-19 18:00"}
		${"2026-11-17 17:30"} | ${"in the evening, before the closing"} | ${"2026-11-18 09:30"} | ${"2026-11-18 11:30"} | ${"2026-11-19 18:00"}
		${"2026-11-17 18:00"} | ${"at the very closing"}                | ${"2026-11-18 10:00"} | ${"2026-11-18 12:00"} | ${"2026-11-20 18:00"}
		${"2026-11-17 23:59"} | ${"at night"}                           | ${"2026-11-18 10:00"} | ${"2026-11-18 12:00"} | ${"2026-11-20 18:00"}
		${"2026-11-20 17:00"} | ${"on a Friday evening"}                | ${"2026-11-23 09:00"} | ${"2026-11-23 11:00"} | ${"2026-11-24 18:00"}
		${"2026-11-20 18:00"} | ${"on a Friday, at the closing"}        | ${"2026-11-23 10:00"} | ${"2026-11-23 12:00"} | ${"2026-11-25 18:00"}
		${"2026-11-21 11:00"} | ${"on a Saturday"}                      | ${"2026-11-23 10:00"} | ${"2026-11-23 12:00"} | ${"2026-11-25 18:00"}
		${"2026-11-22 23:00"} | ${"on a Sunday"}                        | ${"2026-11-23 10:00"} | ${"2026-11-23 12:00"} | ${"2026-11-25 18:00"}
		${"2026-04-30 17:00"} | ${"the day before the 1 May, a Friday"} | ${"2026-05-04 09:00"} | ${"2026-05-04 11:00"} | ${"2026-05-05 18:00"}
		${"2026-05-01 10:00"} | ${"on the 1 May"}                       | ${"2026-05-04 10:00"} | ${"2026-05-04 12:00"} | ${"2026-05-06 18:00"}
		${"2026-05-13 17:00"} | ${"the day before Ascension 2026"}      | ${"2026-05-15 09:00"} | ${"2026-05-15 11:00"} | ${"2026-05-18 18:00"}
		${"2027-05-06 10:00"} | ${"on Ascension 2027"}                  | ${"2027-05-07 10:00"} | ${"2027-05-07 12:00"} | ${"2027-05-11 18:00"}
		${"2026-05-22 17:00"} | ${"the Friday before Whit Monday"}      | ${"2026-05-26 09:00"} | ${"2026-05-26 11:00"} | ${"2026-05-27 18:00"}
		${"2026-12-24 15:00"} | ${"on Christmas Eve, before a weekend"} | ${"2026-12-24 17:00"} | ${"2026-12-28 09:00"} | ${"2026-12-29 18:00"}
		${"2026-12-24 17:00"} | ${"on the evening of Christmas Eve"}    | ${"2026-12-28 09:00"} | ${"2026-12-28 11:00"} | ${"2026-12-29 18:00"}
		${"2026-12-25 10:00"} | ${"at Christmas"}                       | ${"2026-12-28 10:00"} | ${"2026-12-28 12:00"} | ${"2026-12-30 18:00"}
		${"2026-12-31 17:30"} | ${"on New Year's Eve"}                  | ${"2027-01-04 09:30"} | ${"2027-01-04 11:30"} | ${"2027-01-05 18:00"}
		${"2026-10-23 17:00"} | ${"over the change to winter time"}     | ${"2026-10-26 09:00"} | ${"2026-10-26 11:00"} | ${"2026-10-27 18:00"}
		${"2027-03-26 17:00"} | ${"over the change to summer time"}     | ${"2027-03-30 09:00"} | ${"2027-03-30 11:00"} | ${"2027-03-31 18:00"}
	`("$when: $paid", ({ paid, express, standard, postal }) => {
		expect(promisedTime("express", paid)).toBe(express);
		expect(promisedTime("standard", paid)).toBe(standard);
		expect(promisedTime("postal", paid)).toBe(postal);
	});

	test("after the change to winter time, the same hour in Paris is another instant", () => {
		expect(computePromise("express", parseParisTime("2026-10-23 17:00"), createCalendar()).toISOString()).toBe("2026-10-26T08:00:00.000Z");
		expect(computePromise("express", parseParisTime("2026-10-22 17:00"), createCalendar()).toISOString()).toBe("2026-10-23T07:00:00.000Z");
	});

	test("the promise is never before the payment, and a later payment never promises earlier", () => {
		const quarter = 900_000;
		const from = parseParisTime("2026-12-18 00:00").getTime();
		const payments = Array.from({ length: 4 * 24 * 14 }, (_, index) => new Date(from + index * quarter));
		for (const service of serviceCodes) {
			const promises = payments.map((paid) => computePromise(service, paid, createCalendar()).getTime());
			expect(promises.every((promise, index) => promise > from + index * quarter)).toBe(true);
			expect(promises).toEqual([...promises].sort((a, b) => a - b));
		}
	});
});

describe("other opening hours", () => {
	test.each`
		hours                  | service       | paid                  | expected              | what
		${"Mo-Sa 09:00-12:30"} | ${"standard"} | ${"2026-11-20 12:00"} | ${"2026-11-21 12:30"} | ${"half an hour on Friday, all of Saturday"}
		${"Mo-Sa 09:00-12:30"} | ${"express"}  | ${"2026-11-21 11:00"} | ${"2026-11-23 09:30"} | ${"over a Sunday"}
		${"We 10:00-11:00"}    | ${"standard"} | ${"2026-11-18 10:30"} | ${"2026-12-16 10:30"} | ${"one hour a week: four weeks"}
		${"We 10:00-11:00"}    | ${"postal"}   | ${"2026-11-18 10:30"} | ${"2026-12-02 11:00"} | ${"one day a week"}
		${"Sa-Su 09:00-24:00"} | ${"express"}  | ${"2026-11-21 23:00"} | ${"2026-11-22 10:00"} | ${"open until midnight: continues on Sunday morning"}
		${"Sa-Su 09:00-24:00"} | ${"express"}  | ${"2026-11-21 22:00"} | ${"2026-11-22 00:00"} | ${"until midnight itself"}
		${"Sa-Su 09:00-24:00"} | ${"standard"} | ${"2026-11-22 22:00"} | ${"2026-11-28 11:00"} | ${"closed from Monday to Friday"}
		${"Sa-Su 09:00-24:00"} | ${"postal"}   | ${"2026-11-18 12:00"} | ${"2026-11-29 00:00"} | ${"paid in the week: starts on Saturday"}
		${"Fr-Mo 08:00-18:00"} | ${"express"}  | ${"2026-11-23 17:00"} | ${"2026-11-27 09:00"} | ${"a range of days over the weekend"}
		${"Mo-Su 00:00-24:00"} | ${"express"}  | ${"2026-11-21 23:30"} | ${"2026-11-22 01:30"} | ${"always open"}
		${"Mo-Su 00:00-24:00"} | ${"express"}  | ${"2026-12-24 23:00"} | ${"2026-12-26 01:00"} | ${"always open, except at Christmas"}
	`("$hours, $what", ({ hours, service, paid, expected }) => {
		expect(promisedTime(service, paid, hours)).toBe(expected);
	});

	test.each(serviceCodes)("%s: throws for a calendar without an open day, instead of searching for ever", (service) => {
		const alwaysClosed = { ...createCalendar(), isHoliday: () => true };
		expect(() => computePromise(service, parseParisTime("2026-11-17 10:00"), alwaysClosed)).toThrow(RangeError);
	});

	test("an hour that is repeated counts twice, and a skipped hour does not count", () => {
		const alwaysOpen = createCalendar("Mo-Su 00:00-24:00");
		const measureDelay = (paid: string) =>
			computePromise("express", parseParisTime(paid), alwaysOpen).getTime() - parseParisTime(paid).getTime();
		expect(measureDelay("2026-10-25 01:30 +02:00")).toBe(2 * 3_600_000);
		expect(promisedTime("express", "2026-10-25 01:30 +02:00", "Mo-Su 00:00-24:00")).toBe("2026-10-25 02:30");
		expect(measureDelay("2027-03-28 01:30")).toBe(2 * 3_600_000);
		expect(promisedTime("express", "2027-03-28 01:30", "Mo-Su 00:00-24:00")).toBe("2027-03-28 04:30");
		expect(promisedTime("express", "2027-03-27 23:00", "Sa-Su 09:00-24:00")).toBe("2027-03-28 10:00");
	});
});

test("pages show the deadlines that a payment now would have", () => {
	expect(formatDeadlines(parseParisTime("2026-11-20 18:30"), createOffer())).toEqual({
		standard: { text: "lundi 23 novembre avant 12\u00a0h, heure de Paris", open: true },
		express: { text: "lundi 23 novembre avant 10\u00a0h, heure de Paris", open: true },
		postal: {
			text: "posté mercredi 25 novembre avant 18\u00a0h, heure de Paris",
			open: true,
			arrival: "Arrivée prévue en métropole entre le jeudi 26 et le lundi 30 novembre.",
		},
	});
	expect(formatDeadlines(parseParisTime("2027-04-30 17:25"), createOffer()).express.text).toBe(
		"lundi 3 mai avant 9\u00a0h\u00a025, heure de Paris",
	);
});

test("pages show until when a service cannot be ordered", () => {
	const closed = { express: parseParisTime("2026-11-20 19:15"), standard: null };
	const { express, standard, postal } = formatDeadlines(parseParisTime("2026-11-20 18:30"), createOffer(closed));
	expect(describeDeadline("express", express)).toBe("Indisponible jusqu’à 19\u00a0h\u00a015, heure de Paris.");
	expect(describeArrival("standard", standard)).toBe("indisponible pour le moment");
	expect(describeDeadline("postal", postal)).toBe(
		"Si vous payez maintenant\u00a0: posté mercredi 25 novembre avant 18\u00a0h, heure de Paris.",
	);
	expect(describeDelivery("postal", postal)).toBe(`${describeDeadline("postal", postal)} ${postal.arrival}`);
	expect(describeDelivery("standard", standard)).toBe("Indisponible pour le moment.");
});

describe("opening hours in the environment", () => {
	test.each([
		["Mo-Fr 08:00-18:00", { weekdays: [1, 2, 3, 4, 5], opens: 480, closes: 1080 }],
		["Sa-Su 09:00-24:00", { weekdays: [6, 7], opens: 540, closes: 1440 }],
		["Sa-Mo 00:00-00:01", { weekdays: [6, 7, 1], opens: 0, closes: 1 }],
		["We 10:30-11:45", { weekdays: [3], opens: 630, closes: 705 }],
		["Mo-Mo 08:00-18:00", { weekdays: [1], opens: 480, closes: 1080 }],
	])("%s", (text, hours) => {
		expect(parseOpeningHours(text)).toEqual(hours);
	});

	test.each([
		"",
		"always",
		"Mo-Fr",
		"08:00-18:00",
		"Lu-Ve 08:00-18:00",
		"Mo-Xx 08:00-18:00",
		"Mo-Fr 8:00-18:00",
		"Mo-Fr 18:00-08:00",
		"Mo-Fr 08:00-08:00",
		"Mo-Fr 08:00-18:00; Sa 09:00-12:00",
	])("refuses « %s »", (text) => {
		expect(() => parseOpeningHours(text)).toThrow(RangeError);
	});

	test("formats opening hours as a sentence", () => {
		expect(formatOpeningHours(parseOpeningHours("Mo-Fr 08:00-18:00")).replace(/\s/g, " ")).toBe(
			"du lundi au vendredi, 8 h à 18 h, heure de Paris, hors jours fériés",
		);
		expect(formatOpeningHours(parseOpeningHours("Sa 09:30-24:00")).replace(/\s/g, " ")).toBe(
			"le samedi, 9 h 30 à 24 h, heure de Paris, hors jours fériés",
		);
		expect(formatOpeningHours(parseOpeningHours("Sa-Mo 08:05-17:00")).replace(/\s/g, " ")).toBe(
			"du samedi au lundi, 8 h 05 à 17 h, heure de Paris, hors jours fériés",
		);
	});
});

test.each([
	["2026-11-23 10:00", null],
	["2026-11-23 07:59", "2026-11-23 08:00"],
	["2026-11-23 08:00", null],
	["2026-11-23 18:00", "2026-11-24 08:00"],
	["2026-11-20 18:00", "2026-11-23 08:00"], // the weekend
	["2026-12-24 20:00", "2026-12-28 08:00"], // Christmas is a Friday
])("the next opening after %s: %s", (now, expected) => {
	const opening = findNextOpening(parseParisTime(now), createCalendar());
	expect(opening && formatParisTime(opening)).toBe(expected);
});
