import { expect, test } from "vitest";
import { describeTransits, formatTransit } from "./transit.ts";

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
	expect(formatTransit(postalCode)).toBe(`${days} jours ouvrés`);
	expect(describeTransits()).toContain(days);
});

test("the texts name each territory once", () => {
	for (const place of ["métropole", "Monaco", "Guadeloupe", "Réunion", "Mayotte", "Nouvelle-Calédonie", "Wallis"])
		expect(describeTransits().split(place)).toHaveLength(2);
});
