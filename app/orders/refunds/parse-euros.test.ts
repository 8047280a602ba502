import { expect, test } from "vitest";
import { parseEuros } from "./parse-euros.ts";

test.each([
	["12,50", 1250],
	["12.5", 1250],
	["12 €", 1200],
	[" 0,01€ ", 1],
	["999999", 99_999_900],
	["0", null],
	["0,00", null],
	["1000000", null],
	["12,505", null],
	["-5", null],
	["", null],
])("an amount typed as « %s »", (typed, expected) => {
	expect(parseEuros(typed)).toBe(expected);
});
