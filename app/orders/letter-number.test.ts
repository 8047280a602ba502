import { expect, test } from "vitest";
import { createSigner } from "../../server/signing.ts";
import { readLetterNumber, toLetterNumber } from "./letter-number.server.ts";
import { generateOrderNumber, type OrderNumber, parseOrderNumber } from "./order-number.server.ts";

const signer = createSigner(["a secret", "an older one"]);

test("each order has another letter number, in the alphabet of order numbers, that leads back to it and to no other", () => {
	const orders = Array.from({ length: 2000 }, generateOrderNumber);
	const letters = orders.map((order) => toLetterNumber(signer, order));
	for (const [index, letter] of letters.entries()) {
		expect(letter).toMatch(/^L-[2-9A-HJKMNP-TW-Z]{4}-[2-9A-HJKMNP-TW-Z]{4}$/);
		expect(readLetterNumber(signer, letter)).toBe(orders[index]);
		// it is none of an order, so nothing of a customer opens with it
		expect(parseOrderNumber(letter)).toBeNull();
		expect(letter.slice(2)).not.toBe(orders[index]?.slice(3));
	}
	expect(new Set(letters).size).toBe(orders.length);
});

test("neighbours have numbers that share no half, and another shop has others", () => {
	const [one, next] = ["KB-7F3K-92QD", "KB-7F3K-92QE"] as OrderNumber[] as [OrderNumber, OrderNumber];
	const [first, second] = [toLetterNumber(signer, one), toLetterNumber(signer, next)];
	expect(first.split("-").filter((part) => second.split("-").includes(part))).toEqual(["L"]);
	const other = createSigner(["another secret"]);
	expect([toLetterNumber(other, one) === first, readLetterNumber(other, first) === one]).toEqual([false, false]);
});

test.each([
	[(number: string) => number.toLowerCase()],
	[(number: string) => ` ${number.replaceAll("-", " ")} `],
	[(number: string) => number.replaceAll("-", "")],
	[(number: string) => number.replaceAll("-", "\u2011")],
])("a number is read however it is typed (%#)", (type) => {
	const order = generateOrderNumber();
	expect(readLetterNumber(signer, type(toLetterNumber(signer, order)))).toBe(order);
});

test.each(["", "L", "KB-7F3K-92QD", "7F3K-92QD", "L-7F3K-92Q", "L-7F3K-92QDD", "L-7F3K-92Q0", "LL-7F3K-92QD", "L-7F3K-92QÉ"])(
	"« %s » is no letter's number",
	(typed) => {
		expect(readLetterNumber(signer, typed)).toBeNull();
	},
);
