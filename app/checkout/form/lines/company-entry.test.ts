import { describe, expect, test } from "vitest";
import { readCompanyEntry } from "./company-entry.ts";

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
		["５４２００３９", { kind: "siren", siren: "005420039" }],
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
		["DANONE 552032534", { kind: "siren", siren: "552032534" }],
		["DANONE (552 032 534)", { kind: "siren", siren: "552032534" }],
		["S.A. au capital de 171 000 000 €, R.C.S. Paris B 552 032 534", { kind: "siren", siren: "552032534" }],
		["Identifiant SIRET n° 552 032 534 00703", { kind: "siret", siren: "552032534", siret: "55203253400703" }],
		["TVA intracommunautaire : FR27552032534", { kind: "siren", siren: "552032534" }],
		["EUID FR7501.552032534", { kind: "siren", siren: "552032534" }],
		["1. 552 032 534", { kind: "siren", siren: "552032534" }],
		["55-20-32-53-4", { kind: "siren", siren: "552032534" }],
		["552 032 534 et 552 081 317", { kind: "several", sirens: ["552032534", "552081317"] }],
		["552 032 534, soit 552032534 00703", { kind: "siren", siren: "552032534" }],
		['="552032534"', { kind: "siren", siren: "552032534" }],
		["'552032534", { kind: "siren", siren: "552032534" }],
		["552032534,00", { kind: "siren", siren: "552032534" }],
		["5.52032534E8", { kind: "siren", siren: "552032534" }],
		["5,520325340E+08", { kind: "siren", siren: "552032534" }],
		["5.52E+08", { kind: "number", digits: 0, shortened: true }],
		["01 42 34 56 78", { kind: "number", digits: 10, shortened: false }],
		["", { kind: "name", name: "" }],
	])("%j", (text, entry) => {
		expect(readCompanyEntry(text)).toEqual(entry);
	});
});
