import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { readCopy } from "../orders/copies/read-copy.server.ts";
import type { DocumentStorage } from "../orders/documents/storage.ts";
import { listInvoices } from "../orders/invoices/invoices.store.server.ts";
import { creditRefund, invoiceOrder } from "./invoice-order.server.ts";

// What is stored outside of the database before an invoice is sent.

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T10:00:00Z" });
});
afterAll(() => shop?.close());

const makePdf = async () => new TextEncoder().encode(`%PDF-1.7 ${crypto.randomUUID()}`);
const getContext = (storage: Partial<DocumentStorage> = {}) => ({ ...shop, storage: { ...shop.storage, ...storage }, makePdf });
const readStoredNumber = async (number = "") => {
	const bytes = await shop.storage.findObject(`invoices/${number}`);
	return bytes && JSON.parse(Buffer.from(bytes).toString());
};
const lastNumber = async () =>
	(await shop.db.selectFrom("invoice_series").select("last_number").where("kind", "=", "invoice").executeTakeFirst())?.last_number;

/** A storage that accepts no object below a folder. */
const without = (folder: string): Partial<DocumentStorage> => ({
	putObject: async (name, bytes) => {
		if (name.startsWith(folder)) throw new Error(`no ${folder}`);
		await shop.storage.putObject(name, bytes);
	},
});

test.each(["orders/", "invoices/"])(
	"an invoice is not sent before %s is stored outside of the database, and keeps its number until then",
	async (folder) => {
		const { order } = await shop.insertPaidOrder();
		await expect(invoiceOrder(getContext(without(folder)), order.id)).rejects.toThrow(`no ${folder}`);
		const [issued] = await listInvoices(shop.db, order);
		expect([issued?.document_id, await shop.getMailKinds(order), await shop.getDocuments(order)]).toEqual([null, [], []]);
		await invoiceOrder(getContext(), order.id);
		const [document] = await shop.getDocuments(order);
		expect(await shop.getMailKinds(order)).toEqual(["confirmation"]);
		expect(await readStoredNumber(issued?.number)).toEqual({
			...{ order: order.id, invoice: issued?.id, pdf: document?.storage_path, database: expect.any(String) },
		});
		const found = await readCopy(shop, order.id);
		expect(found.ok && found.copy.invoices).toMatchObject([{ id: issued?.id, number: issued?.number }]);
	},
);

test("a credit note that is sent before its invoice has a PDF also stores the invoice's number", async () => {
	const { order, payment } = await shop.insertPaidOrder();
	const refund = await shop.insertRefund(payment);
	await creditRefund(getContext(), refund.id);
	const numbers = (await listInvoices(shop.db, order)).map(({ number }) => number);
	expect(numbers).toHaveLength(2);
	expect(await readStoredNumber(numbers[0])).toMatchObject({ order: order.id, pdf: null });
	expect(await readStoredNumber(numbers[1])).toMatchObject({ order: order.id, pdf: expect.stringContaining(".pdf") });
	await invoiceOrder(getContext(), order.id);
	expect(await readStoredNumber(numbers[0])).toMatchObject({ pdf: expect.stringContaining(".pdf") });
});

test("no number is taken while the storage does not answer", async () => {
	const { order } = await shop.insertPaidOrder();
	const before = await lastNumber();
	await expect(invoiceOrder(getContext({ ready: async () => false }), order.id)).rejects.toThrow("does not answer");
	await expect(invoiceOrder(getContext({ findObject: () => Promise.reject(new Error("silent")) }), order.id)).rejects.toThrow("silent");
	expect([await lastNumber(), await listInvoices(shop.db, order)]).toEqual([before, []]);
});

describe("a number that was issued before the database was restored", () => {
	test("stops invoices and credit notes; the operator receives one alert a day for all orders", async () => {
		const [one, other] = [await shop.insertPaidOrder(), await shop.insertPaidOrder()];
		const taken = `F2026-${String(((await lastNumber()) ?? 0) + 1).padStart(6, "0")}`;
		await shop.storage.putObject(`invoices/${taken}`, new TextEncoder().encode("{}"));
		const refund = await shop.insertRefund(other.payment);
		const mails = async () => (await Promise.all([one, other].map(({ order }) => shop.getMailKinds(order)))).flat();
		const alerts = () => shop.lines.filter(({ alert }) => alert === "alert-invoices-stopped");
		const tryAll = () =>
			Promise.allSettled([
				invoiceOrder(getContext(), one.order.id),
				invoiceOrder(getContext(), other.order.id),
				creditRefund(getContext(), refund.id),
			]);
		for (const outcome of await tryAll()) expect(outcome).toMatchObject({ status: "rejected", reason: { number: taken } });
		expect(await mails()).toEqual(["alert-invoices-stopped"]);
		shop.clock.now = shop.after(86_400_000);
		await tryAll();
		expect(alerts()).toHaveLength(1);
		// each day, even when the same order is first again
		for (const day of [2, 3]) {
			shop.clock.now = shop.after((day - 1) * 86_400_001);
			const earlierIds = (await shop.getMails(one.order)).map(({ id }) => id);
			await expect(invoiceOrder(getContext(), one.order.id)).rejects.toThrow(taken);
			await tryAll();
			expect(alerts()).toHaveLength(day);
			const [mail] = await shop.getMails(one.order);
			expect([mail?.kind, earlierIds.includes(mail?.id ?? "")]).toEqual(["alert-invoices-stopped", false]);
		}
		for (const line of alerts()) expect(line).toMatchObject({ level: 50, number: taken });
		await shop.storage.remove(`invoices/${taken}`);
		await invoiceOrder(getContext(), one.order.id);
		expect((await listInvoices(shop.db, one.order)).map(({ number }) => number)).toEqual([taken]);
	});
});
