import { expect, test } from "vitest";
import { cleanLine, isIdempotencyKey, isLine, isLines, readLine, readLines, toStorableLine } from "./text.ts";

test.each(["Élodie", "D’Arc de La Tour", "李", "a\u00a0b", "n° 3 & fils", "👍🏽"])("« %s » is a line", (text) => {
	expect(isLine(text)).toBe(true);
	expect(isLines(text)).toBe(true);
});

test("a text of several lines accepts line breaks and any emoji", () => {
	expect(isLines("Bonjour,\n\tma famille 👨‍👩‍👧 attend <un Kbis>.")).toBe(true);
	for (const text of ["a\nb", "a\tb"]) expect(isLine(text)).toBe(false);
});

const refused = {
	NUL: "\0",
	"escape sequence": "\u001b[2J",
	bell: "\u0007",
	"C1 control": "\u009b",
	"carriage return": "\r",
	"line separator": "\u2028",
	"paragraph separator": "\u2029",
	"direction override": "\u202e",
	"direction isolate": "\u2066",
	"lone surrogate": "\ud800",
	"what could not be decoded": "\ufffd",
	"private use": "\ue000",
	"tag character": "\u{e0041}",
};

test.each(Object.entries(refused))("%s: refused in a line and in several lines, removed from a search", (_what, sign) => {
	expect(isLine(`a${sign}b`)).toBe(false);
	expect(isLines(`a${sign}b`)).toBe(false);
	expect(isLine(cleanLine(`a${sign}b`, 100))).toBe(true);
	expect(isIdempotencyKey(`a${sign}b`)).toBe(false);
});

test("a field is normalised (NFC), trimmed, and loses invisible characters", () => {
	expect(readLine(" E\u0301lodie\u200b\u00ad ")).toBe("Élodie");
	for (const mark of "\u200e\u200f\u2060\ufeff") expect(readLine(`${mark}06 12 34${mark} 56 78`)).toBe("06 12 34 56 78");
	for (const value of [null, undefined, 3, new Blob(["x"])]) expect(readLine(value)).toBe("");
});

test("a joiner between two signs stays, as several scripts and emoji need it; any other is left over from a copy", () => {
	for (const text of ["علی\u200cرضا", "क्\u200dष", "👩\u200d💻", "👨🏽\u200d🦱"]) {
		expect([readLine(text), isLine(text), toStorableLine(text, 100)]).toEqual([text, true, text]);
		expect(readLine(`\u200d${text}\u200c \u200db`)).toBe(`${text} b`);
	}
	for (const stray of ["\u200da", "a\u200c", "a\u200d b", "a\u200d\u200cb"]) {
		expect(isLine(stray)).toBe(false);
		expect([isLine(readLine(stray)), isLine(toStorableLine(stray, 100))]).toEqual([true, true]);
	}
});

// in quadratic time these would take minutes
test("of a million marks on a letter, thirty are read", () => {
	const half = 500_000;
	expect(readLine(`a${"\u0323".repeat(half)}`)).toHaveLength(30);
	expect(readLine(`a${"\u0301".repeat(half)}${"\u0316".repeat(half)}b`)).toHaveLength(31);
	expect(readLine("क्षेत्रीय e\u0301")).toBe("क्षेत्रीय é");
});

test("a line that is stored before it is checked loses what may not be stored, and nothing else", () => {
	for (const sign of Object.values(refused)) expect(isLine(toStorableLine(`a${sign}b`, 100))).toBe(true);
	expect(toStorableLine("a\0\ud800b", 100)).toBe("ab");
	expect(toStorableLine("ab cd", 3)).toBe("ab");
	for (const text of ["12  rue  d’Arc", "a\u00a0b", "👍".repeat(50)]) expect(toStorableLine(text, 100)).toBe(text);
	expect(toStorableLine("👍".repeat(1_000_000), 5)).toBe("👍".repeat(5));
});

test("a tab in a field of one line is a blank; a line break stays, and is refused", () => {
	for (const sign of ["\t", "\t\t"]) expect(readLine(`\tAda${sign}Lovelace\n`)).toBe("Ada Lovelace");
	for (const sign of ["\n", "\r\n", "\u2028", "\0"]) expect(isLine(readLine(`Ada${sign}Lovelace`))).toBe(false);
	expect(readLines("a\tb")).toBe("a\tb");
});

test("all line breaks become \n", () => {
	expect(readLines("\r\na\r\nb\rc\u2028d\n")).toBe("a\nb\nc\nd");
});

test("a search is cut at its maximum length, between whole characters", () => {
	expect(cleanLine("  a \n\t b  ", 10)).toBe("a b");
	expect(cleanLine("👍".repeat(20), 5)).toBe("👍".repeat(5));
	expect(cleanLine("abcd efgh", 5)).toBe("abcd");
	expect(cleanLine("  abcde", 5)).toBe("abcde");
	// of megabytes, no more is looked at than could be kept
	expect(cleanLine(`${" ".repeat(40)}a`, 10)).toBe("");
});

test.each(["next day", "8f14e45f-ceea-467f-a9e1-1b2c3d4e5f60", "~".repeat(200)])("« %s » is an idempotency key", (key) => {
	expect(isIdempotencyKey(key)).toBe(true);
	expect(isIdempotencyKey(`${key}é`)).toBe(false);
	for (const wrong of ["", "~".repeat(201)]) expect(isIdempotencyKey(wrong)).toBe(false);
});
