import { expect, test } from "vitest";
import { parseQuery } from "./lexemes.ts";
import { findMatchedName } from "./matched-name.ts";

test("a word matches from its start only", () => {
	expect(findMatchedName(parseQuery("anone").words, "AUTRE", ["DANONE"])).toBeNull();
});

test.each([
	["carrefour", "BEAUVAIS DIS", ["CARREFOUR"], "CARREFOUR"],
	["carref", "BEAUVAIS DIS", ["CARREFOUR"], "CARREFOUR"],
	["carrefour beauvais", "BEAUVAIS DIS", ["CARREFOUR"], "CARREFOUR"],
	["sncf", "SOCIETE NATIONALE", ["S.N.C.F."], "S.N.C.F."],
	["dart", "METIERS", ["L'OR", "METIERS D'ART"], "METIERS D'ART"],
	["hotel d'or", "SAS N.B.", ["TETE D'OR", "HOTEL D'OR"], "HOTEL D'OR"],
	["saint algue", "LES PORTES", ["ST ALGUE"], "ST ALGUE"],
	// of two that hold the same words, the first
	["carrefour", "BEAUVAIS DIS", ["CARREFOUR CITY", "CARREFOUR"], "CARREFOUR CITY"],
	// the last word may be unfinished
	["sushi ya", "LE TYROSSE", ["SUSHI BAR", "SUSHI YAMA"], "SUSHI YAMA"],
	// a word that the name holds needs no explanation
	["dupont fournil", "DUPONT BOULANGERIE", ["DUPONT", "LE FOURNIL"], "LE FOURNIL"],
	// the name holds all words, whole or begun
	["danone", "DANONE", ["DANONE EAUX"], null],
	["dano", "DANONE", ["DANONE EAUX"], null],
	["danone sa", "DANONE", ["SA DANONE"], null],
	// a town explains itself
	["danone paris", "DANONE", ["ACTIVIA"], null],
	["boulangerie", "PAIN & CO", [], null],
	["", "PAIN & CO", ["PAIN"], null],
	["pain", null, ["PAIN"], null],
])("« %s » matches of %s with %j: %s", (query, name, tradeNames, matched) => {
	expect(findMatchedName(parseQuery(query).words, name, tradeNames)).toBe(matched);
});
