import { expect, test } from "vitest";
import { calculateVatNumber, formatSiren, hasValidKey, parseSiren, parseSiret, type Siren, type Siret } from "./siren.ts";

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

test("calculates the VAT number of a SIREN", () => {
	expect(calculateVatNumber("552081317" as Siren)).toBe("FR03552081317");
	expect(calculateVatNumber("552032534" as Siren)).toBe("FR27552032534");
});

test("a SIREN in a text has a no-break space after each three digits", () => {
	expect(formatSiren("552032534")).toBe("552\u00a0032\u00a0534");
});
