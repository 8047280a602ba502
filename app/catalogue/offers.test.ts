import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { minute } from "../../server/durations.ts";
import { computeTotals, listPromises } from "../checkout/form/lines/totals.ts";
import { formatDeadline } from "./instants.ts";
import { findHour, findReopening, listHours, offerLines } from "./offers.ts";
import { parseOpeningHours } from "./opening-hours.ts";
import { type ServiceCode, serviceCodes } from "./services.ts";

const calendar = { ...parseOpeningHours("Mo-Fr 08:00-18:00"), isHoliday: () => false };
/** In Paris: « 23 10:00 », a Monday in November 2026. */
const at = (time: string) => new Date(`2026-11-${time.replace(" ", "T")}:00+01:00`);
const now = at("23 10:00");
const offer = (...slots: string[]) => ({ calendar, slots: slots.map(at) });

describe("the hour of a service", () => {
	test.each<[ServiceCode, string, string]>([
		["express", "23 11:59", "23 12:00"],
		["express", "23 12:01", "23 12:01"],
		["standard", "23 14:00", "23 14:00"],
		["standard", "23 16:47", "23 16:47"],
		// a letter is posted at the closing, an hour of work after its extract at the earliest
		["postal", "25 17:00", "25 18:00"],
		["postal", "25 17:01", "26 18:00"],
		["postal", "26 17:00", "26 18:00"],
	])("%s, when the desk is free at %s", (service, slot, expected) => {
		expect(findHour(service, now, offer(slot, "30 10:00"))).toEqual(at(expected));
	});

	test("is the catalogue's for all lines without a pace", () => {
		expect(listHours("express", now, offer())).toEqual([at("23 12:00")]);
	});

	test("follows the rank of the line", () => {
		expect(listHours("express", now, offer("23 11:00", "23 12:30", "24 09:00"))).toEqual([at("23 12:00"), at("23 12:30"), at("24 09:00")]);
	});
});

describe("a service", () => {
	test.each<[ServiceCode, string, string | null]>([
		["express", "23 12:00", null],
		["express", "23 12:30", "23 10:30"],
		["express", "24 10:00", "23 18:00"],
		// a single order waits a day of work longer at most
		["standard", "24 14:00", null],
		["standard", "24 14:20", "23 10:20"],
		["postal", "26 17:00", null],
		["postal", "26 17:01", "24 10:00"],
	])("%s is sold again, when the desk is free at %s, at %s", (service, slot, expected) => {
		expect(findReopening(service, now, offer(slot))).toEqual(expected && at(expected));
	});
});

describe("the lines of a purchase", () => {
	const lines = (wanted: ServiceCode[], ...slots: string[]) =>
		offerLines(wanted, now, offer(...slots)).map(({ at, tooLate }) => [at.toISOString(), tooLate]);
	const line = (time: string, tooLate = false) => [at(time).toISOString(), tooLate];

	test("take the desk's time express first, then in the order of the catalogue, then in their own", () => {
		const slots = ["23 14:01", "23 14:02", "23 14:03", "24 18:00", "25 18:00"];
		expect(lines(["postal", "standard", "express", "standard"], ...slots)).toEqual([
			line("25 18:00"),
			line("23 14:02"),
			line("23 14:01", true),
			line("23 14:03"),
		]);
	});

	test("of a small purchase wait a day at most, and express ones not at all", () => {
		const slots = ["23 12:00", "23 12:01", "23 15:00", "24 14:00", "24 14:01"];
		expect(lines(["express", "express", "standard", "standard", "standard"], ...slots)).toEqual([
			line("23 12:00"),
			line("23 12:01", true),
			line("23 15:00"),
			line("24 14:00"),
			line("24 14:01", true),
		]);
	});

	test("of a list wait five days at most, and express ones while they are faster than standard ones", () => {
		const slots = ["23 12:01", "23 13:59", "23 14:00", "24 14:01", "30 14:00", "30 14:01"];
		expect(lines(["express", "express", "express", "standard", "standard", "standard"], ...slots)).toEqual([
			line("23 12:01"),
			line("23 13:59"),
			line("23 14:00", true),
			line("24 14:01"),
			line("30 14:00"),
			line("30 14:01", true),
		]);
	});

	test("all have the catalogue's hour without a pace", () => {
		expect(lines(["express", "postal"])).toEqual([line("23 12:00"), line("25 18:00")]);
	});

	test("have the hours that the total names: the first and the last of each service", () => {
		const steps = fc.array(fc.nat(300), { minLength: 40, maxLength: 40 });
		const wanted = fc.array(fc.constantFrom(...serviceCodes), { minLength: 1, maxLength: 40 });
		fc.assert(
			fc.property(steps, wanted, (minutes, wanted) => {
				let time = now.getTime();
				const slots = minutes.map((step) => {
					time += step * minute;
					return new Date(time);
				});
				const { services } = computeTotals(wanted, listPromises(now, { calendar, slots, closed: {} }, wanted.length));
				const offered = offerLines(wanted, now, { calendar, slots });
				for (const { code, deadline } of services) {
					const hours = offered.flatMap(({ at }, index) =>
						wanted[index] === code ? [formatDeadline(at).replace(", heure de Paris", "")] : [],
					);
					const words = deadline?.replaceAll("\u00a0", " ");
					const said = [...new Set([hours[0], hours.at(-1)])].map((hour) => hour?.replaceAll("\u00a0", " "));
					for (const hour of said) expect(words).toContain(hour);
					expect(words?.includes("pour le dernier")).toBe(said.length > 1);
				}
			}),
		);
	});
});
