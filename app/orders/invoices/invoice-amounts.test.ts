import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cents, splitVat } from "../../catalogue/money.ts";
import { services } from "../../catalogue/services.ts";
import { calculateAmounts, divide } from "./invoice-amounts.ts";

const withTotals = (totals: readonly number[], vatRate = 20) => ({
	vatRate,
	lines: totals.map((total) => ({ description: "KBIS", total: cents(total) })),
});

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

describe("the amounts of an invoice", () => {
	test("are those of the sum of its lines: the total is what was paid, and the lines without VAT add up to the net amount", () => {
		const totals = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 200 });
		fc.assert(
			fc.property(totals, fc.constantFrom(20, 10, 5.5, 2.1), (prices, rate) => {
				const { lineNets, net, vat, total, due } = calculateAmounts(withTotals(prices, rate));
				expect(total).toBe(sum(prices));
				expect({ ht: net, vat }).toEqual(splitVat(total, rate));
				expect([net + vat, sum(lineNets), due]).toEqual([total, net, 0]);
				// the net amount itself is rounded by half a cent at most, which the lines share
				for (const [index, price] of prices.entries())
					expect(Math.abs((lineNets[index] ?? NaN) - (price * 100) / (100 + rate))).toBeLessThan(1.5);
			}),
		);
	});

	test("give lines of one price the same net amount, or one cent less", () => {
		const { lineNets, net, vat } = calculateAmounts(withTotals([5900, 5900, 5900]));
		expect([lineNets, net, vat]).toEqual([[4917, 4917, 4916], 14_750, 2950]);
		const prices = Array.from({ length: 200 }, () => services.express.price);
		const different = new Set(calculateAmounts(withTotals(prices)).lineNets);
		expect([...different].sort()).toEqual([4916, 4917]);
	});

	test("of one line are those of its price", () => {
		for (let total = 1; total < 1000; total++) {
			const { lineNets, net } = calculateAmounts(withTotals([total]));
			expect(lineNets).toEqual([net]);
		}
	});
});

test("divides an amount in proportion, with the cents that are left where most was lost", () => {
	expect(divide(cents(100), [1, 1, 1])).toEqual([34, 33, 33]);
	expect(divide(cents(10), [1, 2, 4])).toEqual([1, 3, 6]);
	expect(divide(cents(0), [0, 0])).toEqual([0, 0]);
	expect(divide(cents(5), [])).toEqual([]);
});
