import { expect, test } from "vitest";
import { createRepeats, getFaultKind } from "./repeated-lines.ts";

test("ten thousand lines of a kind in 150 s are three lines, which count the others; another kind is written at once", () => {
	const lines: { more?: number; kind: string }[] = [];
	let time = 0;
	const repeat = createRepeats(() => time);
	const write = (kind: string) => repeat(kind, (fields, message) => lines.push({ ...fields, kind: message }), { order: 1 }, kind);
	for (let count = 0; count < 10_000; count++) {
		time = count * 15;
		write("outage");
		if (count === 5000) write("bug");
	}
	expect(lines).toEqual([
		{ order: 1, kind: "outage" },
		{ order: 1, kind: "outage", more: 3999 },
		{ order: 1, kind: "bug" },
		{ order: 1, kind: "outage", more: 3999 },
	]);
	time += 60_000;
	write("bug");
	expect(lines.at(-1)).toEqual({ order: 1, kind: "bug" });
});

test("many kinds are not remembered for ever", () => {
	let written = 0;
	const repeat = createRepeats(() => 0);
	const write = (kind: string) => repeat(kind, () => written++, {}, "line");
	for (let kind = 0; kind < 200; kind++) write(`${kind}`);
	write("0");
	expect(written).toBe(200);
	write("200");
	write("0");
	expect(written).toBe(202);
});

test.each([
	[new Error("order 12 failed\nat 5"), "Error: order # failed"],
	[new TypeError("no KB-7F3K-92QD for 0a1b2c3d-0000-4000-8000-00000000beef"), "TypeError: no # for #"],
	["text 1", "text #"],
])("the kind of the fault %s", (fault, kind) => {
	expect(getFaultKind(fault)).toBe(kind);
});
