import { expect, test } from "vitest";
import { generateOrderNumber, parseOrderNumber } from "./order-number.server.ts";

test("a generated number has no ambiguous characters and is unique", () => {
	const numbers = Array.from({ length: 10_000 }, generateOrderNumber);
	for (const number of numbers) expect(number).toMatch(/^KB-[2-9A-HJKMNP-TW-Z]{4}-[2-9A-HJKMNP-TW-Z]{4}$/);
	expect(new Set(numbers).size).toBe(numbers.length);
	expect(new Set(numbers.join("").replace(/[KB-]/g, "")).size).toBe(29 - "KB".length);
});

test("a generated number can be parsed", () => {
	for (let i = 0; i < 1000; i++) {
		const number = generateOrderNumber();
		expect(parseOrderNumber(number)).toBe(number);
	}
});

test.each([
	"KB-7F3K-92QD",
	"kb-7f3k-92qd",
	"  KB 7F3K 92QD ",
	"KB7F3K92QD",
	"7f3k92qd",
	"KB\u20117F3K\u201192QD", // hyphens that do not break, as a mail program may put them
	"kb.7f3k.92qd",
	"« KB-7F3K-92QD »",
])("« %s » is parsed, however it is typed", (text) => {
	expect(parseOrderNumber(text)).toBe("KB-7F3K-92QD");
});

test("a number that begins with KB itself is parsed with and without its prefix", () => {
	for (const text of ["KB-KB23-4567", "KBKB234567", "KB23-4567", "kb234567"]) expect(parseOrderNumber(text)).toBe("KB-KB23-4567");
});

test.each([
	"",
	"KB",
	"KB-7F3K-92Q",
	"KB-7F3K-92QDD",
	"KB-7F3K-92Q0",
	"KB-7F3K-92QO",
	"KB-7F3K-92QI",
	"KB-7F3K-92QU",
	"KB-7F3K-92QÉ",
	"XX-7F3K-92QD",
	"0198a5c2-7b1e-7000-8000-000000000000",
	"' or 1=1 --",
])("« %s » is not a number", (text) => {
	expect(parseOrderNumber(text)).toBeNull();
});
