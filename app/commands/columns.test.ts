import { expect, test } from "vitest";
import { formatTimeLeft } from "../catalogue/urgency.ts";
import { alignColumns, formatSection, toOneLine } from "./columns.ts";

test("each column is as wide as its widest cell in characters, and lines have no trailing blanks", () => {
	expect(
		alignColumns(
			[
				["a", "été", ""],
				["👍👍👍", "b", "c"],
				["", "", ""],
			],
			"> ",
		),
	).toBe(["> a    été", "> 👍👍👍  b    c", ">"].join("\n"));
	expect(alignColumns([["a", "b"], ["longer"]])).toBe("a       b\nlonger");
});

test("a section has a heading and one line per row, and is empty without rows", () => {
	expect(formatSection("Client", [["Nom", " Ada\n  Commande  X \r\n"]])).toBe("Client\n  Nom  Ada ⏎ Commande  X");
	expect(toOneLine("\n a\n\n b ")).toBe("a ⏎ b");
	expect(formatSection("Client", [])).toBe("");
});

test.each([
	[0, "0 min"],
	[59_999, "0 min"],
	[60_000, "1 min"],
	[3_599_999, "59 min"],
	[3_600_000, "1 h 00"],
	[4_800_000, "1 h 20"],
	[3_660_000, "1 h 01"],
	[86_399_999, "23 h 59"],
	[86_400_000, "1 j"],
	[273_600_000, "3 j 4 h"],
	[-1, "retard 0 min"],
	[-2_700_000, "retard 45 min"],
	[-90_000_000, "retard 1 j 1 h"],
])("%i milliseconds until a promise: « %s »", (milliseconds, words) => {
	const now = new Date("2026-11-20T10:00:00Z");
	expect(formatTimeLeft(new Date(now.getTime() + milliseconds), now).replaceAll("\u00a0", " ")).toBe(words);
});
