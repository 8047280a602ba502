import { expect, test } from "vitest";
import { checkEmail, isEmail, maskEmail } from "./email-address.ts";

const long = (length: number) => `${"a".repeat(length - "@example.fr".length)}@example.fr`;

test("an address has at most 254 characters (RFC 3696, erratum 1690), and no invisible ones", () => {
	expect([isEmail(long(254)), isEmail(long(255))]).toEqual([true, false]);
	for (const hidden of ["a\u0007@example.fr", "a\u200e@example.fr", "a@example.fr\u0000"]) expect(isEmail(hidden)).toBe(false);
	expect([checkEmail(""), checkEmail("ada"), checkEmail("ada@example.fr")]).toEqual([
		"L'adresse email est requise",
		"Format d'email invalide",
		undefined,
	]);
});

test.each([
	["ada@example.fr", "a…@example.fr"],
	["al@example.fr", "a…@example.fr"],
	// of one letter, that letter would be all of it
	["a@example.fr", "…@example.fr"],
	["élodie@exemple.fr", "é…@exemple.fr"],
	["a@b@example.fr", "a…@example.fr"],
])("%s is shown as %s", (email, masked) => {
	expect(maskEmail(email)).toBe(masked);
});
