import { expect, test } from "vitest";
import { parsePasted } from "./typed-numbers.ts";

test.each([
	["KB-7F3K-92QD 1A23456789012", "KB-7F3K-92QD", "1A23456789012"],
	["1A 234 567 890 12;kb7f3k92qd", "KB-7F3K-92QD", "1A 234 567 890 12"],
	["kb-7f3k-92qd\t1A-234-567", "KB-7F3K-92QD", "1A-234-567"],
	["L-7F3K-92QD 1A23456789012", "L-7F3K-92QD", "1A23456789012"],
	["1A 234 567 890 12;l-7f3k92qd", "L-7F3K-92QD", "1A 234 567 890 12"],
	["L 7F3K 92QD 1A23456789012", "L-7F3K-92QD", "1A23456789012"],
	["1A23456789012, l 7f3k92qd", "L-7F3K-92QD", "1A23456789012"],
	["L\u20117F3K\u201192QD\t1A23456789012", "L-7F3K-92QD", "1A23456789012"],
	["KB\u20117F3K\u201192QD 1A23456789012", "KB-7F3K-92QD", "1A23456789012"],
	["LA23456789FR KB7F3K92QD", "KB-7F3K-92QD", "LA23456789FR"],
	["KB-7F3K-92QD,", "KB-7F3K-92QD", ""],
	[`KB-7F3K-92QD ${"1A".repeat(5000)}`, "KB-7F3K-92QD", "1A".repeat(50)],
])("« %s » is a number for an order", (line, number, tracking) => {
	expect(parsePasted(line)).toEqual([{ line: line.trim(), ok: true, number, tracking }]);
});

test("lines without an order number are kept, empty ones are not", () => {
	expect(parsePasted("\n1A23456789012\r\n  \n")).toEqual([{ line: "1A23456789012", ok: false }]);
});
