import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatFrenchPhone, mayBePhone, trimPhone } from "./phone.ts";
import { checkPhone, readPhone } from "./read-phone.server.ts";

const wrong = "Format de téléphone invalide\u00a0: dix chiffres, par exemple 06 12 34 56 78";

test.each(["0612345678", "06.12.34.56.78", "06-12-34-56-78", "+33612345678", "+33 6 12 34 56 78", "0033 6 12 34 56 78"])(
	"%s, in the agreed form, stays as it was typed",
	(typed) => {
		expect([readPhone(typed), mayBePhone(typed), checkPhone(typed)]).toEqual([typed, true, undefined]);
	},
);

test.each([
	["+33 (0)6 12 34 56 78", "06 12 34 56 78"],
	["+33(0)612345678", "06 12 34 56 78"],
	["0033 (0)6 12 34 56 78", "06 12 34 56 78"],
	["(+33) 6 12 34 56 78", "06 12 34 56 78"],
	["+33 06 12 34 56 78", "06 12 34 56 78"],
	["33612345678", "06 12 34 56 78"],
	["06/12/34/56/78", "06 12 34 56 78"],
	["06–12–34–56–78", "06 12 34 56 78"],
	["06  12 34 56 78", "06 12 34 56 78"],
	["0612 345 678", "06 12 34 56 78"],
	["０６１２３４５６７８", "06 12 34 56 78"],
	["tél : 06 12 34 56 78", "06 12 34 56 78"],
	["Tél. 0612345678", "06 12 34 56 78"],
	["Mobile: +33 6 12 34 56 78", "06 12 34 56 78"],
	["Numéro de téléphone : 06 12 34 56 78", "06 12 34 56 78"],
	["\u202d06 12 34 56 78\u202c", "06 12 34 56 78"],
	["06 12 34 56 78,", "06 12 34 56 78"],
	["06,12,34,56,78", "06 12 34 56 78"],
	["06:12:34:56:78", "06 12 34 56 78"],
	["06•12•34•56•78", "06 12 34 56 78"],
	["06—12—34—56—78", "06 12 34 56 78"],
	["06−12−34−56−78", "06 12 34 56 78"],
	["06\t12\t34\t56\t78", "06 12 34 56 78"],
	["[06] 12 34 56 78", "06 12 34 56 78"],
	["'0612345678", "06 12 34 56 78"],
	['="0612345678"', "06 12 34 56 78"],
	["« 06 12 34 56 78 »", "06 12 34 56 78"],
	["06\u202d 12 34\u202c 56 78", "06 12 34 56 78"],
	["+0033 6 12 34 56 78", "06 12 34 56 78"],
	["Tel0612345678", "06 12 34 56 78"],
	["Tél. portable : 06 12 34 56 78", "06 12 34 56 78"],
	["Tél./Fax : 01 23 45 67 89", "01 23 45 67 89"],
	["Ligne directe 01 23 45 67 89", "01 23 45 67 89"],
	["WhatsApp : +33 6 12 34 56 78", "06 12 34 56 78"],
	["callto:+33612345678", "06 12 34 56 78"],
	["https://wa.me/33612345678", "06 12 34 56 78"],
	["📞 06 12 34 56 78", "06 12 34 56 78"],
	["(France) 06 12 34 56 78", "06 12 34 56 78"],
	["01 23 45 67 89 poste 12", "01 23 45 67 89 poste 12"],
	["01 23 45 67 89 (poste 12)", "01 23 45 67 89 poste 12"],
	["01 23 45 67 89 - Poste : 12", "01 23 45 67 89 poste 12"],
	["01 23 45 67 89 p. 12", "01 23 45 67 89 poste 12"],
	["01 23 45 67 89;ext=12", "01 23 45 67 89 poste 12"],
	["01 23 45 67 89 extension 12", "01 23 45 67 89 poste 12"],
	["01 23 45 67 89, ext. 1234", "01 23 45 67 89 poste 1234"],
	// the overseas departments have their own country codes, and French numbers
	["+262 692 12 34 56", "06 92 12 34 56"],
	["00262692123456", "06 92 12 34 56"],
	["+262 639 12 34 56", "06 39 12 34 56"],
	["+590 590 12 34 56", "05 90 12 34 56"],
	["+594 (0)694 12 34 56", "06 94 12 34 56"],
	["+596 696 12 34 56", "06 96 12 34 56"],
	// the other territories and countries
	["+687 27 12 34", "+687 27 12 34"],
	["+689 87 12 34 56", "+689 87 12 34 56"],
	["+508 41 12 34", "+508 41 12 34"],
	["+32 (0)470/12.34.56", "+32 470 12 34 56"],
	["00 32 470 12 34 56", "+32 470 12 34 56"],
	["+41 79 123 45 67", "+41 79 123 45 67"],
	["+352 621 123 456", "+352 621 123 456"],
	["+377 6 12 34 56 78", "+377 6 12 34 56 78"],
	["+44 (0)20 7946 0958", "+44 20 7946 0958"],
	["+44 20 7946 0958 ext 7", "+44 20 7946 0958 poste 7"],
	["+1 (202) 456-1111", "+1 202 456 1111"],
])("%s is read as %s", (typed, read) => {
	expect(readPhone(typed).replaceAll("\u00a0", " ")).toBe(read);
	expect([mayBePhone(typed), checkPhone(readPhone(typed)), readPhone(readPhone(typed))]).toEqual([true, undefined, readPhone(typed)]);
});

test.each([
	...["061234567", "06123456789", "0012345678", "6 12 34 56 78", "+33 6 12 34 56", "+262 692 12 34", "112", "3939", "néant", "téléphone"],
	...[
		"a0612345678",
		"0612345678a",
		"06 12 34 56 78 (Ada)",
		"06 12 34 56 78 / 01 23 45 67 89",
		"+32 6 12 34 56 78",
		"+1 555 123",
		"+999 12345678",
	],
	...[
		"06 12 34 56 78 / 90",
		"01 23 45 67 89 12",
		"06 12 34 56 78 (12)",
		"le 12/06/2026",
		"6,12E+08",
		"O6 12 34 56 78",
		"1 rue A 0612345678",
	],
	...["+", "06 12 34 56 78 poste", "++33612345678", "ada@example.fr"],
])("%s is none, and stays as it was typed", (typed) => {
	expect([readPhone(typed), checkPhone(readPhone(typed))]).toEqual([typed, wrong]);
});

test("a dash says that there is no number", () => {
	for (const typed of ["", " ", "-", "--", "—", "/", ". . ."])
		expect([readPhone(typed), checkPhone(readPhone(typed))]).toEqual(["", undefined]);
	expect(trimPhone("\u202a06\u202c ")).toBe("06");
});

describe("any way to write a French number", () => {
	const number = fc
		.tuple(fc.constantFrom("1", "2", "3", "4", "5", "6", "7", "8", "9"), fc.stringMatching(/^\d{8}$/))
		.map((parts) => parts.join(""));
	const prefix = fc.constantFrom("0", "+33", "+33 ", "0033", "0033 ", "+33 (0)", "+33(0)", "(+33) ", "+33 0", "33", "0 ");
	const gap = fc.constantFrom("", " ", ".", "-", "/", "\u00a0", "\u202f", " - ", "–", "_", ",", "•", "|", "'");
	const around = fc.constantFrom(
		["", ""],
		["tél : ", ""],
		["Tel. ", ""],
		["\u202d", "\u202c"],
		[" ", " "],
		["GSM ", ""],
		["Bureau (direct) : ", "."],
	);

	test("is the same number", () => {
		fc.assert(
			fc.property(number, prefix, fc.array(gap, { minLength: 9, maxLength: 9 }), around, (digits, start, gaps, [before, after]) => {
				const written = start + [...digits].map((digit, index) => (index === 0 ? "" : gaps[index]) + digit).join("");
				expect(formatFrenchPhone(`${before}${written}${after}`)?.replaceAll(" ", "")).toBe(`0${digits}`);
				expect(checkPhone(readPhone(`${before}${written}${after}`))).toBeUndefined();
			}),
		);
	});

	test("with another number of digits is none", () => {
		fc.assert(
			fc.property(fc.stringMatching(/^\d{0,20}$/), fc.constantFrom("0", "+33", "0033"), (digits, start) => {
				fc.pre(!/^0?[1-9]\d{8}$/.test(digits));
				expect(formatFrenchPhone(start + digits)).toBeNull();
			}),
		);
	});
});
