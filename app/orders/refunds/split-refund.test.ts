import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cents, cents } from "../../catalogue/money.ts";
import { isSplitGuessed, splitRefund } from "./split-refund.ts";

/** What is left of an order, or this and what is not refunded of it. */
type Line = number | readonly [left: number, unrefunded: number];

const toLine = (line: Line, index: number) => {
	const [left, unrefunded] = typeof line === "number" ? [line, line] : line;
	return { orderId: `order ${index + 1}`, left: cents(left), unrefunded: cents(unrefunded) };
};

const split = (lines: readonly Line[], amount: number) =>
	splitRefund(lines.map(toLine), cents(amount)).map(({ orderId, amount: part }): [string, Cents] => [orderId, part]);

describe("a refund that names no order", () => {
	test.each<[string, Parameters<typeof split>[0], number, [string, number][]]>([
		["of a single order goes to it", [5900], 1000, [["order 1", 1000]]],
		["goes to the first order of which exactly so much is left", [3900, 5900, 5900], 5900, [["order 2", 5900]]],
		["is shared in turn otherwise", [3900, 5900, 4400], 5000, [["order 1", 3900], ["order 2", 1100]]], // biome-ignore format: one row
		["passes over orders of which nothing is left", [0, 5900, -100, 4400], 9000, [["order 2", 5900], ["order 4", 3100]]], // biome-ignore format: one row
		["of the whole purchase refunds each order", [3900, 5900, 4400], 14_200, [["order 1", 3900], ["order 2", 5900], ["order 3", 4400]]], // biome-ignore format: one row
		["takes what is requested only when nothing else is left", [[0, 3900], [3900, 3900]], 5000, [["order 2", 3900], ["order 1", 1100]]], // biome-ignore format: one row
		["of the whole purchase also takes all that is requested", [[0, 3900], [1000, 3900]], 7800, [["order 2", 3900], ["order 1", 3900]]], // biome-ignore format: one row
		["that exceeds everything is added to the first part", [[0, 0], [3900, 3900]], 5000, [["order 2", 5000]]], // biome-ignore format: one row
		["goes to the first order when nothing is left at all", [0, 0], 100, [["order 1", 100]]],
	])("%s", (_what, lines, amount, parts) => {
		expect(split(lines, amount)).toEqual(parts);
	});

	test.each<[string, Line[], number, boolean]>([
		["of the amount of one order", [3900, 5900], 5900, false],
		["of the amount of two orders", [5900, 3900, 5900], 5900, true],
		["of a single open order", [3900, 0], 1000, false],
		["of one of two open orders", [3900, 5900], 1000, true],
		["of all open orders", [3900, 5900, 0], 9800, false],
		["of nearly all", [3900, 5900], 9799, true],
		["of more than all", [3900, 5900], 9801, false],
		["of one of two, of which a cent is left of the other", [3900, 1], 3000, true],
		["of what is requested of another one", [[0, 3900], [1000, 1000]], 2000, true], // biome-ignore format: one row
		["without orders", [], 1000, false],
	])("%s is assigned by a guess: %j, %i, %s", (_what, lines, amount, isGuessed) => {
		expect(isSplitGuessed(lines.map(toLine), cents(amount))).toBe(isGuessed);
	});

	test("has no part without orders", () => {
		expect(split([], 1000)).toEqual([]);
	});

	test("is split without a remainder, and no order gets back more than the provider had not refunded of it", () => {
		const line = fc
			.tuple(fc.integer({ min: -5900, max: 5900 }), fc.nat(5900))
			.map(([left, more]) => [left, Math.max(0, left) + more] as const);
		fc.assert(
			fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 40_000 }), (lines, amount) => {
				const parts = split(lines, amount);
				expect(parts.reduce((sum, [, part]) => sum + part, 0)).toBe(amount);
				expect(parts.every(([, part]) => part > 0)).toBe(true);
				expect(new Set(parts.map(([orderId]) => orderId)).size).toBe(parts.length);
				const unrefunded = new Map(lines.map(([, most], index) => [`order ${index + 1}`, most]));
				const exceeding = parts.filter(([orderId, part]) => part > (unrefunded.get(orderId) ?? 0));
				const isEnough = [...unrefunded.values()].reduce((sum, most) => sum + most, 0) >= amount;
				expect(exceeding.length).toBe(isEnough ? 0 : 1);
				// an order whose refund is requested gives nothing while another one has something left
				const takesRequested = parts.some(([orderId, part]) => part > Math.max(0, lines[Number(orderId.slice(6)) - 1]?.[0] ?? 0));
				const isLeft = lines.reduce((sum, [left]) => sum + Math.max(0, left), 0) >= amount;
				expect(takesRequested && isLeft).toBe(false);
			}),
		);
	});
});
