import { expect, test } from "vitest";
import { calculateVatNumber, hasValidKey, parseLeadingDigits, parseSiren, parseSiret, type Siren, type Siret } from "./siren.ts";

test("parses numbers with spaces, dots and dashes", () => {
	expect(parseSiren("552 032 534")).toBe("552032534");
	expect(parseSiren("552.032\u202f534")).toBe("552032534");
	expect(parseSiret("552 032 534 00703")).toBe("55203253400703");
	for (const text of ["", "552032534", "552032534007033", "5520325340070A"]) expect(parseSiret(text)).toBeNull();
	for (const text of ["", "55203253", "5520325344", "55203253A", "٥٥٢٠٣٢٥٣٤"]) expect(parseSiren(text)).toBeNull();
});

test("checks the key of a number, with the exception of La Poste", () => {
	expect(hasValidKey("552032534" as Siren)).toBe(true);
	expect(hasValidKey("552032535" as Siren)).toBe(false);
	expect(hasValidKey("35600000000048" as Siret)).toBe(true);
	expect(hasValidKey("35600000068535" as Siret)).toBe(false);
	expect(hasValidKey("35600000049837" as Siret)).toBe(true);
	expect(hasValidKey("356000000" as Siren)).toBe(true);
	expect(hasValidKey("55203253400703" as Siret)).toBe(true);
	// a digit sum that is a multiple of five is valid only for La Poste
	expect(hasValidKey("55203253400730" as Siret)).toBe(false);
});

test.each([
	["356", "356"],
	["35 6", "356"],
	["55203253400703", "552032534"],
	["FR03552081317", "552081317"],
	["fr 03 552 081 317", "552081317"],
	["12", null],
	["123456789012345", null],
	["3M", null],
	["FR552081317", null],
	["SIREN : 552 032 534", "552032534"],
	["siret 552 032 534 00703", "552032534"],
	["TVA FR 27 552032534", "552032534"],
	["RCS Paris 552 032 534", "552032534"],
	["RCS Aix-en-Provence : 552 032 534", "552032534"],
	["552 032 534 RCS Paris", "552032534"],
	["552 032 534 R.C.S. Paris", null],
	["tva", null],
	["", null],
])("the leading digits of « %s » are %s", (text, digits) => {
	expect(parseLeadingDigits(text)).toBe(digits);
});

test("calculates the VAT number of a SIREN", () => {
	expect(calculateVatNumber("552081317" as Siren)).toBe("FR03552081317");
	expect(calculateVatNumber("552032534" as Siren)).toBe("FR27552032534");
});
