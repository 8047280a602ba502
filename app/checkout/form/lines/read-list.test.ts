import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCompanyText } from "../../../companies/company-text.ts";
import { hasValidKey, parseSiren, type Siren } from "../../../companies/siren.ts";
import { maxReferenceLength } from "./line-fields.ts";
import { readList } from "./read-list.ts";
import { formatTypedLines } from "./typed-lines.ts";

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
		expect(readList(text).lines).toEqual([{ company, reference }]);
	});

	test("any line break ends a line, and blank lines do not count", () => {
		expect(readList("\r\n552032534\r\n\r\n  \rDANONE\u2028552081317\n;;\n").lines.map(({ company }) => company)).toEqual([
			"552032534",
			"DANONE",
			"552081317",
		]);
	});

	test("a very long line is cut, and a reference that is too long stays too long", () => {
		const [line] = readList(`${"a".repeat(1_000_000)};${"b".repeat(1000)}`).lines;
		expect([line?.company.length, line?.reference.length]).toEqual([200, maxReferenceLength + 1]);
	});

	// in quadratic or cubic time each of these would take minutes or years
	test.each<[string, string, number]>([
		["blanks after a label", `rcs ab${" ".repeat(500_000)}!`, 1],
		["blanks after a label, before a comma", `rcs ab${" ".repeat(500_000)},x`, 1],
		["words after a label", `rcs ${"ab ".repeat(170_000)}!`, 1],
		["blanks after a semicolon", `a;${" ".repeat(500_000)}x`, 1],
		["semicolons", `a;${"; ".repeat(250_000)}x`, 1],
		["quotes", `${'"'.repeat(500_000)}x`, 1],
		["blanks", `${" ".repeat(500_000)}x`, 1],
		["many such lines", `rcs ab${" ".repeat(2_000)}!\n`.repeat(250), 250],
	])("a crafted line is read in one pass: %s", (_, text, count) => {
		expect(readList(text).lines).toHaveLength(count);
	});

	test("of a letterhead, the number is kept", () => {
		const [line] = readList(`${"Une société depuis toujours ".repeat(10)} RCS Paris 552 032 534`).lines;
		expect(line?.company).toBe("552032534");
	});

	test("written again, they are read the same", () => {
		const { lines } = readList("552032534 ; dossier 2026-114\nDANONE");
		expect(readList(formatTypedLines(lines)).lines).toEqual(lines);
	});
});

/** SIRENs with right keys. */
const siren = fc.integer({ min: 10_000_000, max: 99_999_999 }).map((number): Siren => {
	const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((key) => parseSiren(`${number}${key}`));
	return digits.find((each) => each !== null && hasValidKey(each)) ?? expect.fail();
});
const numberHead = fc.constantFrom(
	"SIREN",
	"N° SIREN",
	"Code SIREN",
	"Matricule",
	"Identifiant",
	"Id. prof. 1 (SIREN)",
	"n° rcs",
	"TVA intracom.",
	"SIRET ou SIREN",
	"Code",
	"Registre",
	"Company ID",
);
const nameHead = fc.constantFrom("Société", "Raison sociale", "Nom du tiers", "Client", "Dénomination", "Entreprise", "Company name");
const referenceHead = fc.constantFrom("Référence", "Votre réf.", "Dossier", "N° d’affaire", "Réf. interne");
const written = fc.constantFrom<(number: string) => string>(
	(number) => number,
	(number) => number.replace(/(...)(?=.)/g, "$1 "),
	(number) => number.replace(/(...)(?=.)/g, "$1\u00a0"),
	(number) => `'${number}`,
	(number) => `="${number}"`,
	(number) => `SIREN ${number}`,
	(number) => `${number}.0`,
	(number) => `${number[0]}.${number.slice(1)}E8`,
);
const table = fc.record({
	numbers: fc.array(siren, { minLength: 1, maxLength: 8 }),
	order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
	heads: fc.option(fc.tuple(numberHead, nameHead, referenceHead)),
	titles: fc.constantFrom([], ["Sociétés à commander;;", "Export du 24/11/2026;;", ";;"]),
	separator: fc.constantFrom(";", "\t", "|"),
	write: written,
});

describe("a table", () => {
	test("names the companies of its numbers, whatever its heads, columns and separators", () => {
		fc.assert(
			fc.property(table, ({ numbers, order, heads, titles, separator, write }) => {
				const rows = numbers.map((number, index) => [write(number), "DUPONT QUARTZ", `2026-${index + 1}`]);
				const ordered = [...(heads ? [[...heads]] : []), ...rows].map((row) => order.map((place) => row[place]).join(separator));
				const { lines } = readList([...(heads ? titles.map((title) => title.replaceAll(";", separator)) : []), ...ordered].join("\r\n"));
				expect(lines.map(({ company }) => readCompanyText(company))).toEqual(
					numbers.map((number) => ({ kind: "number", siren: number, siret: null, beside: ["dupont", "quartz"] })),
				);
				expect(lines.map(({ reference }) => reference)).toEqual(numbers.map((_, index) => `2026-${index + 1}`));
			}),
			{ numRuns: 500 },
		);
	});

	test("without numbers chooses none", () => {
		fc.assert(
			fc.property(fc.constantFrom(";", "\t", "|"), nameHead, referenceHead, (separator, name, reference) => {
				const { lines } = readList(
					[
						[name, reference],
						["DUPONT", "2026-1"],
					]
						.map((row) => row.join(separator))
						.join("\n"),
				);
				expect(lines).toEqual([{ company: "DUPONT", reference: "2026-1" }]);
			}),
		);
	});
});
