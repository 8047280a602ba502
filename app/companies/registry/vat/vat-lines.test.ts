import { describe, expect, test } from "vitest";
import { createVatParser, endsEarly, findVatFormat, type VatFormat } from "./vat-lines.ts";

const alone: VatFormat = { separator: ";", vat: 0, siren: -1 };

describe("the columns are found by their values", () => {
	test.each<[string, string[], VatFormat]>([
		[
			"the DGFiP's file",
			["vat_no;validity_date;issued_date", "27552032534;2020-07-01;2020-07-01", "03552081317;2021-03-16;2020-07-23"],
			alone,
		],
		["numbers alone", ["Numéro de TVA", "FR27552032534"], alone],
		["numbers without a header", ["FR27552032534", "FR03552081317"], alone],
		["SIREN and number", ["SIREN,N° TVA", "552032534,FR27552032534"], { separator: ",", vat: 1, siren: 0 }],
		[
			"number and SIREN, spaced and quoted",
			['"tva"\t"Siren"', '"FR 27 552 032 534"\t"552 032 534"'],
			{ separator: "\t", vat: 0, siren: 1 },
		],
		["a name with the separator", ["siren;nom;tva", "552032534;DANONE, SA;FR27552032534"], { separator: ";", vat: 2, siren: 0 }],
		["keys with letters", ["vat_no", "0A552032534", "27552032534", "fr03552081317"], alone],
	])("%s", (_, lines, format) => {
		expect(findVatFormat(lines)).toEqual(format);
	});

	test.each<[string, string[]]>([
		["SIRETs", ["siret", "55203253400703", "55208131766522"]],
		["SIRENs", ["siren;nom", "552032534;DANONE"]],
		["other numbers of eleven digits", ["compte", "12345678901", "98765432109", "11111111111"]],
		["a web page", ["<!doctype html>", "<html lang=fr>", "<title>Numéros de TVA</title>"]],
		["few numbers among other lines", ["a", "b", "c", "d", "FR27552032534"]],
		["a header alone", ["vat_no;validity_date;issued_date"]],
		["nothing", []],
	])("none in %s", (_, lines) => {
		expect(findVatFormat(lines)).toBeNull();
	});
});

describe("a line", () => {
	const parse = createVatParser({ separator: ";", vat: 1, siren: 0 });
	test.each([
		["552032534;FR27552032534", { key: "27", siren: "552032534" }],
		["552032534;27552032534\r", { key: "27", siren: "552032534" }],
		["552 032 534;fr 0a 552\u00a0032\u00a0534", { key: "0A", siren: "552032534" }],
		["005520135;FR11005520135", { key: "11", siren: "005520135" }],
		["552081317;FR27552032534", null],
		[";FR27552032534", null],
		["552032534;FR2755203253", null],
		["552032534;FR275520325345", null],
		["552032534;FRIO552032534", null],
		["552032534;BE0552032534", null],
		["552032534", null],
		["", null],
	])("%j has %j", (line, entry) => {
		expect(parse(line)).toEqual(entry);
	});

	test("is cut when its number is incomplete", () => {
		for (const line of ["", "F", "FR", "FR2", "27", "2755203253", "fr 27 552"]) expect(endsEarly(line, alone), line).toBe(true);
		for (const line of ["FR27552032534", "27552032534;20", "PAS-UN-NUMERO"]) expect(endsEarly(line, alone), line).toBe(false);
		expect(endsEarly("552032534", { separator: ";", vat: 1, siren: 0 })).toBe(true);
	});
});
