import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccountsFixture, createAccountsFixture } from "../../../test/accounts.ts";
import { correctInvoice } from "../../fulfilment/invoice-correction/correct-invoice.server.ts";
import { invoiceOrder } from "../../fulfilment/invoice-order.server.ts";
import { findInvoiceOfPurchase } from "../../orders/invoices/invoices.store.server.ts";
import type { Month } from "../month.ts";
import { postEntries } from "../post-entries.server.ts";
import { createEReport, getBuyerKind, writeEReport } from "./e-report.ts";
import { listReportedInvoices } from "./reported-invoices.store.server.ts";

let shop: AccountsFixture;
beforeAll(async () => {
	shop = await createAccountsFixture("2027-09-01T09:00:00Z");
});
afterAll(() => shop?.close());

const company = { billing_company: "ANALYSE", billing_siren: "356000000" };

async function report(month: string) {
	await postEntries(shop);
	const seller = { siren: "000000000", name: "ExtraitPro" };
	return createEReport(month as Month, seller, await listReportedInvoices(shop.db, month as Month));
}

test("a buyer is a company by their SIREN, and unidentified with a company's name only", () => {
	const person = { name: "Jeanne Martin", contact: null, address: null, postalCode: null, city: null, siren: null };
	expect(getBuyerKind(person)).toBe("consumer");
	expect(getBuyerKind({ ...person, name: "ANALYSE", contact: "Jeanne Martin" })).toBe("unidentified-company");
	expect(getBuyerKind({ ...person, name: "ANALYSE", contact: "Jeanne Martin", siren: "356000000" })).toBe("company");
});

test("sales to consumers are reported by day and rate; companies' invoices one by one", async () => {
	await shop.sell("2027-09-02T08:00:00Z");
	await shop.sell("2027-09-02T21:59:59Z", { product_code: "standard" });
	const { payment } = await shop.sell("2027-09-02T22:00:00Z"); // 3 September in Paris
	await shop.refund(payment, "2027-09-04T08:00:00Z", { amount: 1200 });
	await shop.sell("2027-09-05T08:00:00Z", company);
	const { sales, payments, invoices, unidentified } = await report("2027-09");
	expect(sales).toEqual([
		{ day: "2027-09-02", count: 2, rates: [{ rate: 20, net: 4917 + 3250, vat: 983 + 650 }] },
		{ day: "2027-09-03", count: 1, rates: [{ rate: 20, net: 4917, vat: 983 }] },
		{ day: "2027-09-04", count: 1, rates: [{ rate: 20, net: -1000, vat: -200 }] },
	]);
	expect(payments).toEqual([
		{ day: "2027-09-02", rates: [{ rate: 20, amount: 9800 }] },
		{ day: "2027-09-03", rates: [{ rate: 20, amount: 5900 }] },
		{ day: "2027-09-04", rates: [{ rate: 20, amount: -1200 }] },
	]);
	expect(invoices.map(({ number, buyer }) => [number, buyer.siren])).toEqual([["F2027-000004", "356000000"]]);
	expect(unidentified).toEqual([]);
});

test("money that moves at the end of a month is reported there, though its document is of the next", async () => {
	const { payment } = await shop.sell("2027-10-15T08:00:00Z");
	await shop.sell("2027-10-31T22:59:59Z", { invoicedAt: "2027-10-31T23:00:04Z" });
	await shop.refund(payment, "2027-10-31T22:59:50Z", { creditedAt: "2027-10-31T23:00:10Z" });
	const october = await report("2027-10");
	expect(october.sales.map(({ day, count }) => [day, count])).toEqual([
		["2027-10-15", 1],
		["2027-10-31", 1],
	]);
	expect(october.payments).toEqual([
		{ day: "2027-10-15", rates: [{ rate: 20, amount: 5900 }] },
		{ day: "2027-10-31", rates: [{ rate: 20, amount: 0 }] },
	]);
	const november = await report("2027-11");
	expect(november.sales.map(({ day, rates }) => [day, rates[0]?.vat])).toEqual([["2027-11-01", -983]]);
	expect(november.payments).toEqual([]);
});

test("a company that gives its SIREN later is taken out of the consumers, and its new invoice goes to the platform", async () => {
	const { order } = await shop.sell("2027-12-02T08:00:00Z", { billing_company: "ANALYSE" });
	expect((await report("2027-12")).unidentified).toEqual([(await findInvoiceOfPurchase(shop.db, order.id))?.number]);
	shop.setClock("2027-12-03T08:00:00Z");
	const { number = "" } = (await findInvoiceOfPurchase(shop.db, order.id)) ?? {};
	const buyer = {
		name: "ANALYSE",
		contact: "Ada Lovelace",
		address: "2 quai Perrache",
		postalCode: "69002",
		city: "Lyon",
		siren: "356000000",
	};
	await correctInvoice(shop, order.id, "purchase", { seen: number, buyer });
	await invoiceOrder(shop, order.id);
	const { sales, payments, invoices } = await report("2027-12");
	expect(sales.map(({ rates }) => rates[0]?.vat)).toEqual([983, -983]);
	expect(payments.map(({ rates }) => rates[0]?.amount)).toEqual([5900, -5900]);
	expect(invoices.map(({ buyer: invoiced }) => invoiced.siren)).toEqual(["356000000"]);
});

test("the file has the terms of flow 10, and no name of a person", async () => {
	const bytes = writeEReport(await report("2027-09"));
	const text = new TextDecoder().decode(bytes);
	const content = JSON.parse(text);
	expect(content["flow 10.3"].transactions[0]).toEqual({
		...{ "TT-77": "2027-09-02", "TT-78": "EUR", "TT-81": "TPS1", "TT-82": "81.67", "TT-83": "16.33", "TT-85": 2 },
		rates: [{ "TT-86": "20.00", "TT-87": "81.67", "TT-88": "16.33" }],
	});
	expect(content["flow 10.4"].payments.at(-1)).toEqual({
		"TT-96": "2027-09-04",
		rates: [{ "TT-97": "20.00", "TT-98": "EUR", "TT-99": "-12.00" }],
	});
	expect(content.invoices[0]).toMatchObject({ number: "F2027-000004", buyer: { siren: "356000000" }, file: "F2027-000004.pdf" });
	expect(text).not.toContain("Lovelace");
});
