import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCsvRow } from "./csv-row.ts";

test.each<[string, string, string[] | null]>([
	["a;b", ";", ["a", "b"]],
	["a;b\r", ";", ["a", "b"]],
	["", ";", [""]],
	[";", ";", ["", ""]],
	['"a;1";"b ""c"""', ";", ["a;1", 'b "c"']],
	['"a"\t"b"\r', "\t", ["a", "b"]],
	['"a\nb",c', ",", ["a\nb", "c"]],
	['"a', ";", null],
	['a"b;c', ";", null],
	['"a"b;c', ";", null],
	['"a"\n"b"', ";", null],
])("%j", (row, delimiter, cells) => {
	expect(parseCsvRow(row, delimiter)).toEqual(cells);
});

test("any cells are read as they were written", () => {
	const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
	fc.assert(
		fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), fc.constantFrom(";", ",", "\t"), (cells, delimiter) => {
			expect(parseCsvRow(cells.map(quote).join(delimiter), delimiter)).toEqual(cells);
		}),
	);
});
