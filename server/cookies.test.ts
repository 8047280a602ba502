import { expect, test } from "vitest";
import { readCookies, separateCookies } from "./cookies.ts";

const several = "a=0; b=1; ba=2; a=3; a=%C3%A9; c";

test("all cookies of a name are read, in their order, and no other", () => {
	expect(readCookies(several, "a")).toEqual(["0", "3", "é"]);
	expect(readCookies(several, "c")).toEqual([]);
	expect(readCookies(null, "a")).toEqual([]);
});

test("a library gets one cookie at a time, as it was sent", () => {
	expect(separateCookies(several, "a")).toEqual(["a=0", "a=3", "a=%C3%A9"]);
	expect(separateCookies("ab=1;a=2", "a")).toEqual(["a=2"]);
	expect(separateCookies(null, "a")).toEqual([]);
});

test("five of a name are tried at most", () => {
	const many = Array.from({ length: 9 }, (_, at) => `a=${at}`).join("; ");
	expect(readCookies(many, "a")).toEqual(["0", "1", "2", "3", "4"]);
	expect(separateCookies(many, "a")).toEqual(["a=0", "a=1", "a=2", "a=3", "a=4"]);
});
