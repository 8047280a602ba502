import { expect, test } from "vitest";
import { nameWithOf, nameWithThat } from "./name-with-of.ts";

test.each([
	[
		"a vowel",
		["AIRBUS", "Île-de-France Mobilités", "ÉLECTRICITÉ DE FRANCE", "ŒUVRES DU BOIS", "Æthra", "ORANGE", "UBER FRANCE", "Anne Roy"],
	],
	["a vowel among initials", ["EDF", "AXA", "I.B.M.", "OVH", "UGC"]],
	[
		"a mute h",
		[
			"HERMÈS",
			"HÔTEL DU LAC",
			"Henri Martin",
			"HABITAT 44",
			"HUILERIE DU SUD",
			"HYDRO ÉNERGIE",
			"HORLOGERIE NOËL",
			"HERMITAGE",
			"HYBRIDE",
			"Homère",
			"HÉMISPHÈRE SUD",
		],
	],
	["a y before a consonant", ["YVES ROCHER", "YSL", "Yvonne Petit"]],
])("« de » elides before %s", (_, names) => {
	expect(names.map(nameWithOf)).toEqual(names.map((name) => `d’${name}`));
	expect(names.map(nameWithThat)).toEqual(names.map((name) => `qu’${name}`));
});

test.each([
	["a consonant", ["DANONE", "L’ORÉAL", "ÇA VA", "Claire Durand"]],
	["the name of a consonant among initials", ["SNCF", "LVMH", "M6", "F.N.A.C.", "RTL"]],
	["an aspirated h", ["HSBC", "H&M", "HACHETTE", "HAUTS DE FRANCE HABITAT", "HÉROS", "HUIT À HUIT", "HALL 9", "H"]],
	["a y before a vowel", ["YOPLAIT", "YAOURTERIE", "Y"]],
	["digits", ["1001 LISTES", "11 RUE", "8 À HUIT"]],
	["words that are said as if a consonant began them", ["ONZE", "OUI", "oui care", "Onzième Art"]],
	["anything that is no letter", ["", " ", "(AIRBUS)", "«\u00a0Anne\u00a0»", "&"]],
])("« de » stays before %s", (_, names) => {
	expect(names.map(nameWithOf)).toEqual(names.map((name) => `de ${name}`));
	expect(names.map(nameWithThat)).toEqual(names.map((name) => `que ${name}`));
});

test("a longer word that begins as « oui » or « onze » elides", () => {
	expect(["OUISTREHAM", "ONZAIN"].map(nameWithOf)).toEqual(["d’OUISTREHAM", "d’ONZAIN"]);
});
