import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCompanyNumbers, readSiren } from "./company-numbers.ts";
import { calculateVatNumber, hasValidKey, type Siren } from "./siren.ts";

/** A SIREN with a right key. */
const siren = fc
	.integer({ min: 1_000_000, max: 99_999_999 })
	.map(
		(number) => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((key) => `${String(number).padStart(8, "0")}${key}` as Siren).find(hasValidKey) as Siren,
	);
const gap = fc.constantFrom("", " ", ".", "-", "\u00a0", "\u202f", "‑", "  ", "/", "’");
const words = fc
	.array(fc.constantFrom("SIREN", "n°", ":", "R.C.S.", "Paris", "DANONE", "(", "capital", "€", "Réf", "*", ";", "«", "\t", "12", "2026"), {
		maxLength: 6,
	})
	.map((parts) => parts.join(" "));

describe("a text", () => {
	test("names the company whose number it contains, whatever stands around it", () => {
		fc.assert(
			fc.property(siren, gap, words, words, (number, between, before, after) => {
				const written = number.replace(/^(...)(...)/, `$1${between}$2${between}`);
				expect(findCompanyNumbers(`${before} : ${written} ; ${after}`).map((found) => found.siren)).toContain(number);
			}),
		);
	});

	test("names it by its VAT number too", () => {
		fc.assert(
			fc.property(siren, words, (number, before) => {
				expect(findCompanyNumbers(`${before} TVA ${calculateVatNumber(number)}.`)).toMatchObject([{ siren: number, siret: null }]);
			}),
		);
	});

	test("without a number with a right key names none", () => {
		fc.assert(
			fc.property(siren, words, (number, around) => {
				const wrong = number.replace(/.$/, (key) => String((Number(key) + 1) % 10));
				expect(findCompanyNumbers(`${around} ${wrong.slice(0, 3)} ${wrong.slice(3)} , `).filter((found) => found.siren === wrong)).toEqual(
					[],
				);
				expect(findCompanyNumbers(`N${wrong}`)).toEqual([]);
			}),
		);
	});

	test.each<[string, string[]]>([
		["000 000 000", []],
		["téléphone 01 42 34 56 78, +33 1 42 34 56 78", []],
		["IBAN FR76 3000 6000 0112 3456 7890 189", []],
		["356 000 000 et son établissement 356 000 000 00048", ["356000000"]],
		["552 032 534 00646", ["552032534"]],
		["552032534 552081317", ["552032534", "552081317"]],
		["552 032 534 capital 171 527 000 €", ["552032534"]],
		["552032534 EURO DISNEY", ["552032534"]],
		["Tél. 6 12 34 56 74", []],
		["123. 552 032 534", ["552032534"]],
		["7 552 032 534 8", ["552032534"]],
		["FR27552032534, 27552032534, FR K7 552 032 534, FR27 552032534", ["552032534"]],
		["2026-00119, 2026/11/003, 19 1999 032", []],
		["12 552 032 534 00646 FR 00 552 081 317", ["552032534", "552081317"]],
	])("%s", (text, sirens) => {
		expect(findCompanyNumbers(text).map((found) => found.siren)).toEqual(sirens);
	});
});

test.each([
	["552 032 534", "552032534"],
	["552032535", "552032535"],
	["N° SIREN : 552 032 534", "552032534"],
	["５５２ 032 534 RCS Paris", "552032534"],
	["552 032 534 00646", "552032534"],
	["FR27552032534", "552032534"],
	["DANONE", null],
	["", null],
	["552 032 534 ou 552 081 317", null],
	["55203253", null],
])("« %s » in a field for a SIREN is %s", (text, siren) => {
	expect(readSiren(text)).toBe(siren);
});
