import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import yauzl from "yauzl";
import { type AccountsFixture, createAccountsFixture } from "../../../test/accounts.ts";
import { cents } from "../../catalogue/money.ts";
import { invoiceOrder } from "../../fulfilment/invoice-order.server.ts";
import { checkMonth } from "../checks/check-month.server.ts";
import type { Month } from "../month.ts";
import { postEntries } from "../post-entries.server.ts";
import { findExtractCost, insertExtractCost, listMargins } from "./files.store.server.ts";
import { sumMargins, writeMargins } from "./margin.ts";
import { zipInvoices } from "./zip-invoices.server.ts";

let shop: AccountsFixture;
beforeAll(async () => {
	shop = await createAccountsFixture("2026-10-01T09:00:00Z");
});
afterAll(() => shop?.close());

const october = "2026-10" as Month;
const november = "2026-11" as Month;

async function readZip(month: Month): Promise<Buffer> {
	const zip = await zipInvoices(shop, month);
	if (!zip.ok) throw new Error(zip.code);
	return buffer(zip.stream);
}

/** The name and text of each file. */
async function unzip(bytes: Buffer): Promise<Record<string, string>> {
	const files: Record<string, string> = {};
	const zip = await yauzl.fromBufferPromise(bytes);
	for await (const entry of zip.eachEntry()) files[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString();
	return files;
}

test("the PDFs of a month are in one archive, credit notes beside their invoice, the same bytes each time", async () => {
	const { payment } = await shop.sell("2026-10-10T09:00:00Z");
	await shop.sell("2026-10-11T09:00:00Z");
	await shop.refund(payment, "2026-11-02T09:00:00Z");
	const bytes = await readZip(october);
	expect(await unzip(bytes)).toEqual({ "F2026-000001.pdf": "%PDF-1.7 F2026-000001", "F2026-000002.pdf": "%PDF-1.7 F2026-000002" });
	expect(await unzip(await readZip(november))).toEqual({ "F2026-000001-avoir-A2026-000001.pdf": "%PDF-1.7 A2026-000001" });
	expect((await readZip(october)).equals(bytes)).toBe(true);
});

test("an empty month, a missing PDF and a lost PDF give no archive", async () => {
	expect(await zipInvoices(shop, "2026-09" as Month)).toEqual({ ok: false, code: "empty", count: 0 });
	const lost = { ...shop, storage: { ...shop.storage, get: () => Promise.reject(new Error("lost")) } };
	const zip = await zipInvoices(lost, october);
	await expect(zip.ok && buffer(zip.stream)).rejects.toThrow("lost");
	shop.setClock("2026-12-10T09:00:00Z");
	const { order } = await shop.insertPaidOrder();
	await expect(invoiceOrder({ ...shop, makePdf: () => Promise.reject(new Error("no PDF")) }, order.id)).rejects.toThrow("no PDF");
	expect(await zipInvoices(shop, "2026-12" as Month)).toEqual({ ok: false, code: "without-pdf", count: 1 });
	expect((await checkMonth(shop.db, "2026-12" as Month)).map(({ code }) => code)).toContain("without-pdf");
});

test("the margin counts sales without VAT, fees, and the extract at its recorded or usual cost", async () => {
	const first = await shop.sell("2026-11-05T09:00:00Z", { completed_at: new Date("2026-11-05T10:00:00Z") });
	const second = await shop.sell("2026-11-06T09:00:00Z", { completed_at: new Date("2026-11-06T10:00:00Z") });
	const failed = await shop.sell("2026-11-07T09:00:00Z", { status: "failed" });
	await insertExtractCost(shop.db, first.order.order_number, cents(640), shop.now());
	await insertExtractCost(shop.db, first.order.order_number, cents(353), shop.now());
	await insertExtractCost(shop.db, failed.order.order_number, cents(320), shop.now());
	expect(await findExtractCost(shop.db, first.order.order_number)).toBe(353);
	expect(await findExtractCost(shop.db, second.order.order_number)).toBeNull();
	await shop.readProvider("2026-11-30T09:00:00Z");
	await postEntries(shop);
	const rows = await listMargins(shop.db, november, { usualCost: 320, asOf: null });
	const getRow = (subject: string) => rows.find((row) => row.subject === subject);
	expect(getRow(first.order.order_number)).toEqual({
		subject: first.order.order_number,
		service: "express",
		net: 4917,
		fees: 114,
		cost: 353,
	});
	expect(getRow(second.order.order_number)).toMatchObject({ cost: 320 });
	expect(getRow(failed.order.order_number)).toMatchObject({ cost: 320 });
	// the credit note of the first test is of November too
	expect(sumMargins(rows)).toEqual({ net: 2 * 4917, fees: 342, cost: 993, margin: 2 * 4917 - 342 - 993 });
	// what is recorded after the closing changes nothing of the month
	const closedAt = shop.now();
	shop.setClock("2026-12-09T09:00:00Z");
	await insertExtractCost(shop.db, first.order.order_number, cents(9999), shop.now());
	expect(await listMargins(shop.db, november, { usualCost: 320, asOf: closedAt })).toEqual(rows);
	expect(new TextDecoder().decode(writeMargins(rows))).toContain("Total;;98,34;3,42;9,93;84,99\r\n");
});
