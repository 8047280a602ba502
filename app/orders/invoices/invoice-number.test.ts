import { expect, test } from "vitest";
import { formatInvoiceNumber, parseInvoiceNumber } from "./invoice-number.ts";

test.each([
	["F2026-000031", { kind: "invoice", year: 2026, place: 31 }],
	["A2027-000001", { kind: "credit_note", year: 2027, place: 1 }],
	["F2026-1000000", { kind: "invoice", year: 2026, place: 1_000_000 }],
] as const)("%s is parsed and formatted to the same text", (text, number) => {
	expect(formatInvoiceNumber(number)).toBe(text);
	expect(parseInvoiceNumber(text)).toEqual(number);
});

test("parses a number in lower case, without zeros and with spaces; refuses any other text", () => {
	expect(parseInvoiceNumber(" f2026-31 ")).toEqual({ kind: "invoice", year: 2026, place: 31 });
	for (const wrong of ["", "F2026-0", "F2026-", "2026-000031", "B2026-000031", "F26-31", "F2026-31x", "F2026-1234567890", "KB-7F3K-92QD"])
		expect(parseInvoiceNumber(wrong), wrong).toBeNull();
});
