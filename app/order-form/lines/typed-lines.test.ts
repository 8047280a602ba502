import { describe, expect, test } from "vitest";
import { readCompanyEntry } from "./company-entry.ts";
import { formatTypedLines, maxReferenceLength, readTypedLines } from "./typed-lines.ts";

describe("lines as they are typed", () => {
	test.each<[string, string, string]>([
		["552032534", "552032534", ""],
		["552 032 534 ; dossier 2026-114", "552 032 534", "dossier 2026-114"],
		["552032534\tdossier\t", "552032534", "dossier"],
		["552032534 ;; ", "552032534", ""],
		["552032534, dossier 12", "552032534", "dossier 12"],
		["DUPONT, PÈRE ET FILS", "DUPONT, PÈRE ET FILS", ""],
		["DUPONT, PÈRE ET FILS ; A1", "DUPONT, PÈRE ET FILS", "A1"],
		['"DANONE";"a ""b"""', "DANONE", 'a "b"'],
		['552032534 ; =HYPERLINK("http://x")', "552032534", '=HYPERLINK("http://x")'],
		["552032534 ; a ; b", "552032534", "a ; b"],
		["DAN\0ONE", "DAN ONE", ""],
		["\u202e552032534", "552032534", ""],
	])("%j", (text, company, reference) => {
		expect(readTypedLines(text)).toEqual([{ company, reference }]);
	});

	test("any line break ends a line, and blank lines do not count", () => {
		expect(readTypedLines("\r\n552032534\r\n\r\n  \rDANONE\u2028552081317\n;;\n").map(({ company }) => company)).toEqual([
			"552032534",
			"DANONE",
			"552081317",
		]);
	});

	test("a very long line is cut, and a reference that is too long stays too long", () => {
		const [line] = readTypedLines(`${"a".repeat(1_000_000)};${"b".repeat(1000)}`);
		expect([line?.company.length, line?.reference.length]).toEqual([200, maxReferenceLength + 1]);
	});

	// in quadratic or cubic time each of these would take minutes or years
	test.each<[string, string, number]>([
		["blanks after a label", `rcs a${" ".repeat(500_000)}!`, 1],
		["blanks after a label, before a comma", `rcs a${" ".repeat(500_000)},x`, 1],
		["words after a label", `rcs ${"a ".repeat(250_000)}!`, 1],
		["blanks after a semicolon", `a;${" ".repeat(500_000)}x`, 1],
		["semicolons", `a;${"; ".repeat(250_000)}x`, 1],
		["quotes", `${'"'.repeat(500_000)}x`, 1],
		["blanks", `${" ".repeat(500_000)}x`, 1],
		["many such lines", `rcs a${" ".repeat(2_000)}!\n`.repeat(250), 250],
	])("a crafted line is read in one pass: %s", (_, text, count) => {
		expect(readTypedLines(text)).toHaveLength(count);
	});

	test("written again, they are read the same", () => {
		const lines = readTypedLines("552032534 ; dossier 2026-114\nDANONE");
		expect(readTypedLines(formatTypedLines(lines))).toEqual(lines);
	});
});

describe("the company of a line", () => {
	test.each<[string, object]>([
		["552 032 534", { kind: "siren", siren: "552032534" }],
		["552.032.534", { kind: "siren", siren: "552032534" }],
		["SIREN : 552032534", { kind: "siren", siren: "552032534" }],
		["N° SIREN 552032534", { kind: "siren", siren: "552032534" }],
		["RCS  Saint - Étienne n° : 552 032 534", { kind: "siren", siren: "552032534" }],
		["RCS Paris 552 032 534", { kind: "siren", siren: "552032534" }],
		["FR 27 552 032 534", { kind: "siren", siren: "552032534" }],
		["552 032 534 00703", { kind: "siret", siren: "552032534", siret: "55203253400703" }],
		// a spreadsheet has dropped the zeros of 005420039
		["5420039", { kind: "siren", siren: "005420039" }],
		["5420038", { kind: "number", digits: 7, shortened: false }],
		["55 203 253 40", { kind: "number", digits: 10, shortened: false }],
		["5,52 E+13", { kind: "number", digits: 0, shortened: true }],
		["5520325340", { kind: "number", digits: 10, shortened: false }],
		["R.C.S. Paris", { kind: "name", name: "R.C.S. Paris" }],
		["no siret 552 032 534 00703", { kind: "siret", siren: "552032534", siret: "55203253400703" }],
		["TVA : FR27552032534", { kind: "siren", siren: "552032534" }],
		["FR00552032534", { kind: "name", name: "FR00552032534" }],
		// eight digits with a right key, six with one, and five, which no SIREN has lost four of
		["05 420 039", { kind: "siren", siren: "005420039" }],
		["12345", { kind: "number", digits: 5, shortened: false }],
		["1234", { kind: "name", name: "1234" }],
		["5,52033E+13", { kind: "number", digits: 0, shortened: true }],
		["1001", { kind: "name", name: "1001" }],
		["DANONE", { kind: "name", name: "DANONE" }],
		["", { kind: "name", name: "" }],
	])("%j", (text, entry) => {
		expect(readCompanyEntry(text)).toEqual(entry);
	});
});
