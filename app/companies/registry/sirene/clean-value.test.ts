import { expect, test } from "vitest";
import { cleanName, cleanValue } from "./clean-value.ts";

test.each([
	...[
		"SUPPRESSION DU NOM COMMERCIAL",
		"Suppression du nom commercial",
		"SUPPRESSION NOM COMMERCIAL",
		"SUPPRESSION DE L'ENSEIGNE",
		"SUPPRESSION ENSEIGNE",
	],
	...[
		"SUPPRESSION DES ENSEIGNES",
		"SUPPRESSION DU SIGLE",
		"SUPPRESSION DU NOM COMMERCIAL ET ENSEIGNE",
		"SUPPRESSION",
		"ENSEIGNE SUPPRIMEE",
		"SUPPRIME",
		"SUPPRIMÉ",
	],
	...[
		"NEANT",
		"NÉANT",
		"Néant.",
		"SANS",
		"SANS ENSEIGNE",
		"SANS NOM COMMERCIAL",
		"PAS D'ENSEIGNE",
		"PAS DE NOM COMMERCIAL",
		"AUCUN",
		"AUCUNE",
		"AUCUNE ENSEIGNE",
	],
	...["SANS OBJET", "NON RENSEIGNE", "NON RENSEIGNÉE", "NON COMMUNIQUE", "NON APPLICABLE", "INCONNU", "IDEM", "NULL", "N/A", "n/a", "N/C"],
	...["XXX", "xxxxxx", "-", "--", ".", "...", "/", "*", "?", "0", "00000", "[ND]", " [ND] ", "", "  ", "« - »"],
	...["SUPPRESSION DE L'ENSEIGNE ET DU NOM COMMERCIAL", "ABANDON DU NOM COMMERCIAL", "RADIATION DE L'ENSEIGNE", "ENSEIGNE RETIREE"],
	...["SUPPRIME LE 01/01/2020", "SUPPRESSION AU 31.12.2019", "NEANT / NEANT", "ENSEIGNE : NEANT"],
])("« %s » is no name", (text) => {
	expect(cleanName(text)).toBeNull();
});

test.each([
	...[
		"LE SANS NOM",
		"SANS FAUTE",
		"SANS SOUCI",
		"NEANT GUY",
		"AUCUN DOUTE",
		"SUPPRESSION DES NUISIBLES",
		"XX",
		"XXL",
		"NA",
		"N.A",
		"ND",
		"NC",
		"PAS A PAS",
	],
	...["L'ENSEIGNE", "NOM D'UN CHIEN", "SIGLE COMMUNICATION", "1", "100", "A", "É", "NULLE PART", "L'INCONNU DU LAC", "ÇA", "株式会社"],
	...["ABANDON", "RADIATION", "RETRAIT PERMIS", "NEANT NOIR", "SUPPRIME TOUT"],
])("« %s » is a name", (text) => {
	expect(cleanName(text)).toBe(text);
	expect(cleanName(`  ${text} `)).toBe(text);
});

test("a legal name is any text but a withheld one", () => {
	expect([cleanValue("NEANT"), cleanValue("XXX"), cleanValue(" A "), cleanValue("A [ND] B"), cleanValue(" ")]).toEqual([
		"NEANT",
		"XXX",
		"A",
		null,
		null,
	]);
});
