import { expect, test } from "vitest";
import { isFrenchHoliday } from "../catalogue/holidays.ts";
import { parseOpeningHours } from "../catalogue/opening-hours.ts";
import { computeWorkedExamples } from "./variables.ts";

const computeExamples = (hours: string) =>
	Object.fromEntries(
		Object.entries(computeWorkedExamples({ ...parseOpeningHours(hours), isHoliday: isFrenchHoliday })).map(([name, example]) => [
			name,
			example.replaceAll("\u00a0", " "),
		]),
	);

test("the examples of the service pages follow from the default opening hours", () => {
	expect(computeExamples("Mo-Fr 08:00-18:00")).toEqual({
		standardPaidMonday: "le jour même avant 14 h",
		standardPaidFriday: "le lundi suivant avant 11 h",
		standardPaidSaturday: "le lundi suivant avant 12 h",
		standardPaidHoliday: "le mardi suivant avant 11 h",
		expressPaidMonday: "le jour même avant 12 h",
		expressPaidFriday: "le lundi suivant avant 9 h",
		expressPaidSaturday: "le lundi suivant avant 10 h",
		expressPaidHoliday: "le mardi suivant avant 9 h",
		postalPaidMonday: "le mercredi suivant avant 18 h",
		postalPaidFriday: "le mardi suivant avant 18 h",
		postalPaidSaturday: "le mercredi suivant avant 18 h",
		postalPaidHoliday: "le mercredi suivant avant 18 h",
	});
});

test("the examples follow from other opening hours", () => {
	expect(computeExamples("Mo-Sa 09:00-20:30")).toMatchObject({
		expressPaidFriday: "le jour même avant 19 h",
		standardPaidFriday: "le samedi suivant avant 9 h 30",
		expressPaidSaturday: "le jour même avant 13 h",
	});
});
