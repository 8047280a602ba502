import { expect, test } from "vitest";
import { cents, formatEuros, formatEurosShort, splitVat } from "./money.ts";
import { parseServiceCode, serviceCodes, services } from "./services.ts";
import { subscription } from "./subscription.ts";

test("HT and VAT add up to the price, for every price up to 100 €", () => {
	for (let price = 1; price <= 10_000; price++) {
		const { ht, vat } = splitVat(cents(price));
		expect(ht + vat).toBe(price);
		expect(Number.isInteger(ht) && Number.isInteger(vat)).toBe(true);
		expect(Math.abs(12 * ht - 10 * price)).toBeLessThanOrEqual(6); // HT is exact to half a cent
	}
});

test("every service has its price, and the price splits into HT and VAT", () => {
	expect(serviceCodes.map((code) => [code, services[code].price, splitVat(services[code].price)])).toEqual([
		["standard", 3900, { ht: 3250, vat: 650 }],
		["express", 5900, { ht: 4917, vat: 983 }],
		["postal", 4400, { ht: 3667, vat: 733 }],
	]);
	for (const { basePrice, postalSupplement, price } of Object.values(services)) expect(basePrice + postalSupplement).toBe(price);
});

test("the announced subscription costs 1 €, then 29,85 € a month (docs/rules.md, R5)", () => {
	expect([subscription.firstPrice, subscription.monthlyPrice].map(formatEurosShort)).toEqual(["1", "29,85"]);
});

test("parses the exact code of a service and nothing else", () => {
	for (const code of serviceCodes) expect(parseServiceCode(code)).toBe(code);
	for (const other of ["", "Express", " express", "kbis", "toString", null, undefined]) expect(parseServiceCode(other)).toBeNull();
});

test.each([
	[0, "0,00 €", "0"],
	[1, "0,01 €", "0,01"],
	[5, "0,05 €", "0,05"],
	[320, "3,20 €", "3,20"],
	[3900, "39,00 €", "39"],
	[5950, "59,50 €", "59,50"],
	[118_000, "1 180,00 €", "1 180"],
	[123_456_789, "1 234 567,89 €", "1 234 567,89"],
])("formats %i cents", (amount, long, short) => {
	expect(formatEuros(cents(amount))).toBe(long.replaceAll(" ", "\u00a0"));
	expect(formatEurosShort(cents(amount))).toBe(short.replaceAll(" ", "\u00a0"));
});

test("formats what is owed with a minus sign", () => {
	expect(formatEuros(cents(-5950))).toBe("\u221259,50\u00a0€");
});

test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("refuses %d, which is not a whole number of cents", (amount) => {
	expect(() => cents(amount)).toThrow(RangeError);
});
