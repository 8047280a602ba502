import { expect, test } from "vitest";
import { invoice, withLines } from "../../test/fixtures/invoice.ts";
import { formatStoredInvoice, parseStoredInvoice } from "./stored-invoice.ts";

test("reads an invoice of before purchases of several, with its single line", () => {
	const { lines, ...data } = invoice;
	expect(parseStoredInvoice({ ...data, line: lines[0] })).toEqual(invoice);
	expect(parseStoredInvoice(data).lines).toEqual([]);
});

test("reads what the previous version makes of an invoice that has both", () => {
	const stored = JSON.parse(formatStoredInvoice(invoice));
	const creditNote = { ...stored, kind: "credit_note", line: { ...stored.line, total: 1900 } };
	expect(parseStoredInvoice(creditNote).lines).toEqual([{ ...invoice.lines[0], total: 1900 }]);
});

test("stores a single line also as the previous version reads it, and several only as lines", () => {
	for (const data of [invoice, withLines(1)]) {
		const stored = JSON.parse(formatStoredInvoice(data));
		expect(stored.line).toEqual(data.lines[0]);
		expect(parseStoredInvoice(stored)).toEqual(data);
	}
	const stored = JSON.parse(formatStoredInvoice(withLines(5)));
	expect(stored).not.toHaveProperty("line");
	expect(parseStoredInvoice(stored)).toEqual(withLines(5));
});
