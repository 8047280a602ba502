import { describe, expect, test } from "vitest";
import { readList } from "./read-list.ts";
import { formatTypedLines, maxReferenceLength } from "./typed-lines.ts";

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
		["blanks after a label", `rcs a${" ".repeat(500_000)}!`, 1],
		["blanks after a label, before a comma", `rcs a${" ".repeat(500_000)},x`, 1],
		["words after a label", `rcs ${"a ".repeat(250_000)}!`, 1],
		["blanks after a semicolon", `a;${" ".repeat(500_000)}x`, 1],
		["semicolons", `a;${"; ".repeat(250_000)}x`, 1],
		["quotes", `${'"'.repeat(500_000)}x`, 1],
		["blanks", `${" ".repeat(500_000)}x`, 1],
		["many such lines", `rcs a${" ".repeat(2_000)}!\n`.repeat(250), 250],
	])("a crafted line is read in one pass: %s", (_, text, count) => {
		expect(readList(text).lines).toHaveLength(count);
	});

	test("written again, they are read the same", () => {
		const { lines } = readList("552032534 ; dossier 2026-114\nDANONE");
		expect(readList(formatTypedLines(lines)).lines).toEqual(lines);
	});
});
