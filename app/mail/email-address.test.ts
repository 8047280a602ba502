import { expect, test } from "vitest";
import { checkEmail, isEmail, isEmailShape, maskEmail, toAsciiEmail } from "./email-address.ts";

const long = (length: number) => `${"a".repeat(64)}@${`${"b".repeat(59)}.`.repeat(3)}${"c".repeat(length - 64 - 1 - 180 - 3)}.fr`;

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

const label = (length: number) => "b".repeat(length);

// RFC 5321, 4.1.2; RFC 1035, 2.3.1
test.each([
	...[
		"ada@example.fr",
		"ADA@EXAMPLE.FR",
		"ada+kbis@sous.domaine.example.fr",
		"o'hara@example.fr",
		"a.b-c_d@3suisses.fr",
		"!#$%&*/=?^`{|}~@a.fr",
	],
	...[
		`${"a".repeat(64)}@example.fr`,
		`a@${label(63)}.fr`,
		"a@société.fr",
		"a@xn--socit-esab.fr",
		"a@b--c.fr",
		"a@a.xn--p1ai",
		"a@пример.рф",
	],
])("%s reaches the provider and the mail servers", (email) => {
	expect([isEmail(email), checkEmail(email)]).toEqual([true, undefined]);
	expect(toAsciiEmail(email)).toMatch(/^[!-~]+$/);
});

test.each([
	...[`${"a".repeat(65)}@example.fr`, `a@${label(64)}.fr`, `a@${`${label(60)}.`.repeat(4)}${label(10)}.fr`, `a@${"é".repeat(60)}.fr`],
	...[".a@b.fr", "a.@b.fr", "a..b@b.fr", '"a b"@c.fr', '"ada"@c.fr', "a@b..fr", "a@.fr", "a@-b.fr", "a@b-.fr", "a@b_c.fr", "a@xn--$.fr"],
	...[
		"a@b",
		"a@b.f",
		"a@b.12",
		"a@1.2.3.4",
		"a@[1.2.3.4]",
		"@b.fr",
		"a@",
		"a",
		"a@b@c.fr",
		"a b@c.fr",
		"a@b.fr:80",
		"a@b.fr/c",
		"a@b%2efr.fr",
	],
])("%s does not", (email) => {
	expect([isEmail(email), checkEmail(email)]).toEqual([false, "Format d'email invalide"]);
});

test.each([
	["jérôme@exemple.fr", "Écrivez cette adresse sans accents\u00a0: jerome@exemple.fr"],
	["Hélène.Bœuf@société.fr", "Écrivez cette adresse sans accents\u00a0: Helene.Boeuf@société.fr"],
	["strauß@exemple.de", "Écrivez cette adresse sans accents\u00a0: strauss@exemple.de"],
	["иван@почта.рф", "Indiquez une adresse e-mail en lettres de a à z, sans accents"],
	["a@exemple.fr; b@exemple.fr", "Indiquez une seule adresse e-mail"],
	["a@exemple.fr ou b@exemple.fr", "Indiquez une seule adresse e-mail"],
	["a@exemple.fr a@exemple.fr b@exemple.fr", "Indiquez une seule adresse e-mail"],
	["ŒUVRE.Łódź@exemple.fr", "Écrivez cette adresse sans accents\u00a0: OEUVRE.Lodz@exemple.fr"],
	["a@exemple.fr/b@exemple.fr", "Indiquez une seule adresse e-mail"],
])("%s: « %s »", (email, sentence) => {
	expect([isEmail(email), checkEmail(email)]).toEqual([false, sentence]);
});

test("the length is that of the address in ASCII", () => {
	const padded = (pad: number) => `${"a".repeat(64)}@${`é${"b".repeat(45)}.`.repeat(3)}${"c".repeat(pad)}.fr`;
	const ofLength = (length: number) => padded(1 + length - toAsciiEmail(padded(1)).length);
	expect([254, 255].map((length) => [ofLength(length).length < 254, isEmail(ofLength(length))])).toEqual([
		[true, true],
		[true, false],
	]);
	// of what is no domain, nothing changes
	expect(toAsciiEmail("ada@é_.fr")).toBe("ada@é_.fr");
});

test("an old address, or that of an e-mail that comes in, may have any letters", () => {
	for (const email of ["jérôme@exemple.fr", "иван@почта.рф", "a..b@exemple.fr"])
		expect([isEmailShape(email), isEmail(email)]).toEqual([true, false]);
	for (const text of ["ada", "a@b", "a b@c.fr", "<a@b.fr>", `${"a".repeat(250)}@b.fr`]) expect(isEmailShape(text)).toBe(false);
});

test("an address is one line, and its domain one that DNS may know", () => {
	expect(isEmailShape("a\u0007da@exemple.fr")).toBe(false);
	expect([isEmail("ada@xn--é.fr"), isEmail("ada@xn--a.fr")]).toEqual([false, true]);
	expect(toAsciiEmail("ADA@EXEMPLE.FR")).toBe("ADA@EXEMPLE.FR");
});

test("what has no domain is not only a matter of accents", () => {
	expect([checkEmail("jérôme@"), checkEmail("é@exemple")]).toEqual(Array(2).fill("Format d'email invalide"));
});
