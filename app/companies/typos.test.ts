import { expect, test } from "vitest";
import { isOneTypoAway, rests } from "./typos.ts";

test.each([
	["dannone", "danone"],
	["danoen", "danone"],
	["danobe", "danone"],
	["danon", "danone"],
	["anone", "danone"],
	["danonee", "danone"],
])("%s → %s is one error", (typed, meant) => {
	expect(isOneTypoAway(typed, meant)).toBe(true);
	expect(rests(typed).some((rest) => rests(meant).includes(rest))).toBe(true);
});

test.each([
	["danone", "danone"],
	["dnaoen", "danone"],
	["dan", "danone"],
	["nadone", "danone"],
])("%s → %s is not", (typed, meant) => {
	expect(isOneTypoAway(typed, meant)).toBe(false);
});
