import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import type { Cents } from "../catalogue/money.ts";
import { copyChangedOrders } from "../orders/copies/copy-changed-orders.server.ts";
import { copiedTableNames, requestCopies } from "../orders/copies/order-copies.store.server.ts";
import { getCopyName, readCopy } from "../orders/copies/read-copy.server.ts";
import { recreateOrder, recreatePurchase } from "../orders/copies/recreate-order.server.ts";
import { type IssuedInvoice, listInvoices, listInvoicesOfPurchase } from "../orders/invoices/invoices.store.server.ts";
import type { Order } from "../orders/order.ts";
import { checkCorrectableInvoice, correctInvoice, findCorrectableInvoice } from "./invoice-correction/correct-invoice.server.ts";
import { toCreditNoteDraft, toInvoiceDraft } from "./invoice-draft.server.ts";
import { creditRefund, invoiceOrder } from "./invoice-order.server.ts";

// The invoice of a purchase of several orders, the credit notes of each order, and their copies.

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-26T10:00:00Z" });
});
afterAll(() => shop?.close());

const makePdf = async () => new TextEncoder().encode(`%PDF-1.7 ${crypto.randomUUID()}`);
const getContext = () => ({ ...shop, makePdf });

async function insertInvoicedPurchase() {
	const { orders, payment } = await shop.insertPaidPurchase(["standard", "express", "postal"]);
	const references = [null, "dossier 2026-114", null];
	for (const [index, order] of orders.entries()) {
		const company_name = `SOCIÉTÉ ${index + 1}`;
		await shop.db.updateTable("orders").set({ reference: references[index], company_name }).where("id", "=", order.id).execute();
	}
	await invoiceOrder(getContext(), orders[1]?.id ?? "");
	const [first, second, third] = (await Promise.all(orders.map(({ id }) => shop.getOrder(id)))) as [Order, Order, Order];
	const [invoice] = (await listInvoices(shop.db, first)) as [IssuedInvoice];
	const refund = async (order: Order, amount_cents = order.price_cents as number) => {
		const { id } = await shop.insertRefund(payment, { order_id: order.id, amount_cents, settled_at: shop.now() });
		await creditRefund(getContext(), id);
		return id;
	};
	return { orders: [first, second, third] as const, payment, invoice, refund };
}

const listNumbers = async (order: Order) => (await listInvoices(shop.db, order)).map(({ number }) => number);

describe("the invoice of a purchase", () => {
	test("has a line for each order, whichever of them the job names, and is issued once", async () => {
		const { orders, payment, invoice } = await insertInvoicedPurchase();
		expect(invoice).toMatchObject({ order_id: orders[0].id, total_cents: payment.amount_cents, kind: "invoice" });
		expect(invoice.data.orderNumber).toBe(orders[0].order_number);
		expect(invoice.data.lines).toEqual([
			{ description: "KBIS Standard : extrait de SOCIÉTÉ 1 (SIREN 552032534)", total: 3900, orderNumber: orders[0].order_number },
			{
				...{ description: "KBIS Express : extrait de SOCIÉTÉ 2 (SIREN 552032534)", total: 5900, orderNumber: orders[1].order_number },
				reference: "dossier 2026-114",
			},
			{ description: expect.stringContaining("extrait de SOCIÉTÉ 3"), total: 4400, orderNumber: orders[2].order_number },
		]);
		for (const order of orders) await invoiceOrder(getContext(), order.id);
		expect(await listInvoicesOfPurchase(shop.db, orders[0].id)).toHaveLength(1);
		for (const order of orders) expect(await listNumbers(order)).toEqual([invoice.number]);
		expect(await Promise.all(orders.map(shop.getMailKinds))).toEqual([["confirmation"], [], []]);
	});

	test("elides « de » before the name of a company", async () => {
		const { order } = await shop.insertPaidOrder({ company_name: "AIRBUS" });
		await invoiceOrder(getContext(), order.id);
		const [invoice] = await listInvoices(shop.db, order);
		expect(invoice?.data.lines).toMatchObject([{ description: "KBIS Express : extrait d’AIRBUS (SIREN 552032534)" }]);
	});

	test("of one order names the customer's reference in its line, and not the order again", async () => {
		const { order } = await shop.insertPaidOrder({ reference: "dossier 2026-1" });
		await invoiceOrder(getContext(), order.id);
		const [invoice] = await listInvoices(shop.db, order);
		expect(invoice?.data.lines).toEqual([
			{ description: expect.stringContaining("KBIS Express"), total: 5900, reference: "dossier 2026-1" },
		]);
	});

	test("names the address of its letters when they all go to one, and guesses no SIREN from a name", async () => {
		const [one, other] = (await shop.insertPaidPurchase(["postal", "express"])).orders as [Order, Order];
		const elsewhere = { delivery_name: "Claire", delivery_address: "4 quai", delivery_postal_code: "75001", delivery_city: "Paris" };
		const getDelivery = (...orders: Order[]) => toInvoiceDraft(shop, orders, shop.now()).delivery;
		expect(getDelivery({ ...one, ...elsewhere }, other)).toMatchObject({ name: "Claire" });
		expect(getDelivery({ ...one, ...elsewhere }, { ...one, ...elsewhere })).toMatchObject({ name: "Claire" });
		expect(getDelivery({ ...one, ...elsewhere }, { ...one, ...elsewhere, delivery_name: "Jean" })).toBeUndefined();
		expect(getDelivery({ ...one, ...elsewhere }, one)).toBeUndefined();
		const own = { ...other, billing_company: "Danone", siren: "552032534" as Order["siren"] };
		const { buyer } = toInvoiceDraft(shop, [{ ...one, billing_company: "Danone", company_name: "AUTRE" }, own], shop.now());
		expect(buyer.siren).toBeNull();
	});

	test("is of the shop to the buyer: the invoiced company with its contact, or the person", async () => {
		const address = { address: "1 rue de la Paix", postal_code: "75002", city: "Paris" };
		const [one] = (await shop.insertPaidPurchase(["express"], address)).orders;
		const { name, legalEntity, address: seat, rcs, email, phone, siren, vat } = shop.environment.shop;
		const draft = toInvoiceDraft(shop, [one], shop.after(1));
		expect(draft).toMatchObject({
			...{ suppliedAt: shop.after(1).toISOString(), paidAt: shop.after(1).toISOString(), orderNumber: one.order_number },
			seller: { name, legalEntity, address: seat, rcs, email, phone, siren: siren.replaceAll(/\s/g, ""), vat: vat.replaceAll(/\s/g, "") },
			vatRate: expect.any(Number),
			...{ vatOnDebits: shop.environment.invoices.vatOnDebits, latePenalty: shop.environment.invoices.latePenalty },
		});
		const place = { address: "1 rue de la Paix", postalCode: "75002", city: "Paris" };
		expect(draft.buyer).toEqual({ name: "Ada Lovelace", contact: null, siren: null, ...place });
		const company = { billing_company: "ACME", billing_siren: "356000000" as Order["siren"], billing_vat: "FR39356000000" };
		expect(toInvoiceDraft(shop, [{ ...one, ...company }], shop.now()).buyer).toEqual({
			...{ name: "ACME", contact: "Ada Lovelace", siren: "356000000", vat: "FR39356000000", ...place },
		});
		expect(() => toInvoiceDraft(shop, [], shop.now())).toThrow();
	});
});

describe("a credit note", () => {
	test("has the line of the refunded order, corrects the invoice of the purchase, and is of that order", async () => {
		const { orders, invoice, refund } = await insertInvoicedPurchase();
		const [first, second, third] = orders;
		await refund(second, 900);
		await refund(second, 5000);
		await refund(third);
		const ofSecond = (await listInvoices(shop.db, second)).filter(({ kind }) => kind === "credit_note");
		expect(ofSecond.map(({ order_id, corrects, total_cents }) => [order_id, corrects, total_cents])).toEqual([
			[second.id, invoice.id, 900],
			[second.id, invoice.id, 5000],
		]);
		expect(ofSecond[0]?.data).toMatchObject({
			...{ orderNumber: first.order_number, corrects: { number: invoice.number } },
			lines: [{ ...invoice.data.lines[1], total: 900 }],
		});
		expect(ofSecond[0]?.data.lines).toHaveLength(1);
		expect(await listNumbers(first)).toEqual([invoice.number]);
		expect(await listNumbers(third)).toHaveLength(2);
		expect(await Promise.all(orders.map(shop.getMailKinds))).toEqual([["confirmation"], ["refunded", "refunded"], ["refunded"]]);
		expect((await shop.getDocuments(third)).map(({ doc_type }) => doc_type)).toEqual(["credit_note"]);
	});

	test("credits once, and only what the order's own credit notes leave", async () => {
		const { orders, payment, refund } = await insertInvoicedPurchase();
		const [, second, third] = orders;
		await refund(third);
		const id = await refund(second, 2000);
		await creditRefund(getContext(), id);
		// the bank returned this one, and its replacement has nothing left to credit
		await shop.db.updateTable("refunds").set({ status: "failed" }).where("id", "=", id).execute();
		const { id: again } = await shop.insertRefund(payment, { order_id: second.id, amount_cents: 2000, settled_at: shop.now() });
		await creditRefund(getContext(), again);
		const credits = (await listInvoices(shop.db, second)).filter(({ kind }) => kind === "credit_note");
		expect(credits.map(({ refund_id }) => refund_id)).toEqual([id]);
	});

	test("says what the invoice says, with the day of the refund; the address of a letter only for a letter", async () => {
		const { orders, invoice } = await insertInvoicedPurchase();
		const delivery = { name: "Claire", complement: null, address: "4 quai", postalCode: "75001", city: "Paris" };
		const data = { ...invoice.data, delivery };
		const make = (order: Order) => toCreditNoteDraft(data, order, { total: 100 as Cents, refundedAt: shop.after(1) });
		expect(make(orders[2])).toEqual({
			...{ ...invoice.data, delivery, paidAt: shop.after(1).toISOString() },
			lines: [{ ...invoice.data.lines[2], total: 100 }],
		});
		expect(make(orders[0])).not.toHaveProperty("delivery");
	});

	test("is made of a refund that went through alone; without one, the e-mail says that nothing is left to credit, once", async () => {
		const { orders, payment, refund } = await insertInvoicedPurchase();
		const [first, second] = orders;
		for (const status of ["requested", "failed"] as const) {
			const { id } = await shop.insertRefund(payment, { order_id: first.id, amount_cents: 100, status });
			await creditRefund(getContext(), id);
		}
		await creditRefund(getContext(), crypto.randomUUID());
		expect([await listNumbers(first), await shop.getMailKinds(first)]).toMatchObject([[expect.any(String)], ["confirmation"]]);
		const returned = await refund(second, 2000);
		await shop.db.updateTable("refunds").set({ status: "failed" }).where("id", "=", returned).execute();
		const again = await refund(second, 2000);
		await creditRefund(getContext(), again);
		// of the same instant, in no order
		const mails = (await shop.getMails(second)).map(({ kind, refund_id, document_id }) => [kind, refund_id, document_id !== null]);
		expect(new Set(mails)).toEqual(
			new Set([
				["refunded", returned, true],
				["refunded", again, false],
			]),
		);
		// a later refund is credited for itself
		await refund(second, 500);
		await creditRefund(getContext(), again);
		const credits = (await listInvoices(shop.db, second)).filter(({ kind }) => kind === "credit_note");
		expect(credits.map(({ total_cents }) => total_cents)).toEqual([2000, 500]);
		const surplus = await shop.insertPayment(first, { role: "surplus" });
		const { id } = await shop.insertRefund(surplus, { order_id: first.id, reason: "surplus" });
		await creditRefund(getContext(), id);
		expect(await shop.getMails(first)).toMatchObject([
			{ kind: "confirmation" },
			{ kind: "surplus-refunded", refund_id: id, document_id: null },
		]);
	});

	test("before the invoice issues the invoice of all lines first", async () => {
		const { orders, payment } = await shop.insertPaidPurchase(["standard", "express"]);
		const { id } = await shop.insertRefund(payment, { order_id: orders[1]?.id, amount_cents: 5900, settled_at: shop.now() });
		await creditRefund(getContext(), id);
		const [invoice, note] = await listInvoicesOfPurchase(shop.db, orders[0].id);
		expect([invoice?.total_cents, note?.total_cents, note?.corrects]).toEqual([9800, 5900, invoice?.id]);
	});
});

const company = { name: "ACME", contact: "Ada Lovelace", address: null, postalCode: null, city: null, siren: "356000000" };

describe("a correction", () => {
	test("replaces the invoice of the purchase with all its lines, and is of the whole purchase", async () => {
		const { orders, invoice } = await insertInvoicedPurchase();
		expect(await correctInvoice(getContext(), orders[0].id, "purchase", { seen: invoice.number, buyer: company })).toMatchObject({
			ok: true,
		});
		await invoiceOrder(getContext(), orders[2].id);
		for (const order of orders) {
			const [before, after, note] = (await listInvoices(shop.db, order)) as [IssuedInvoice, IssuedInvoice, IssuedInvoice];
			expect([after.replaces, note.corrects, note.refund_id]).toEqual([before.id, before.id, null]);
			expect([after.data.lines, note.data.lines]).toEqual([before.data.lines, before.data.lines]);
			expect(after.data.buyer).toEqual(company);
			expect([after.document_id, note.document_id]).not.toContain(null);
		}
	});

	test("makes the credit note before the invoice whose e-mail brings both, and ends its job after the last", async () => {
		const { orders, invoice } = await insertInvoicedPurchase();
		await correctInvoice(getContext(), orders[0].id, "purchase", { seen: invoice.number, buyer: company });
		const steps: string[] = [];
		const context = {
			...getContext(),
			makePdf: async ({ kind }: IssuedInvoice["data"]) => {
				steps.push(kind);
				return makePdf();
			},
			jobs: { ...shop.jobs, complete: async () => void steps.push("end") },
		};
		await invoiceOrder(context, orders[0].id);
		expect(steps).toEqual(["credit_note", "invoice", "end"]);
	});

	test("is refused when any order of the purchase was refunded, failed, erased, or is or was disputed", async () => {
		const { orders, invoice, refund } = await insertInvoicedPurchase();
		const purchaseId = orders[0].id;
		expect(await findCorrectableInvoice(shop.db, purchaseId, shop.now())).toMatchObject({ ok: true, invoice: { number: invoice.number } });
		const check = (change: Partial<Order>) => {
			const changed = [orders[0], orders[1], { ...orders[2], ...change }];
			return checkCorrectableInvoice(shop.db, { orders: changed, invoices: [invoice], now: shop.now() });
		};
		expect(await check({ status: "failed" })).toEqual({ ok: false, code: "refunded" });
		expect(await check({ erased_at: shop.now() })).toEqual({ ok: false, code: "no-invoice" });
		expect(await check({ disputed_at: shop.now() })).toEqual({ ok: false, code: "disputed" });
		expect(await check({ dispute_status: "lost" })).toEqual({ ok: false, code: "disputed" });
		expect(await check({ dispute_status: "won" })).toMatchObject({ ok: true });
		await refund(orders[2], 100);
		expect(await findCorrectableInvoice(shop.db, purchaseId, shop.now())).toEqual({ ok: false, code: "refunded" });
		expect(await correctInvoice(getContext(), purchaseId, "purchase", { seen: invoice.number, buyer: company })).toEqual({
			ok: false,
			code: "refunded",
		});
	});
});

/** Every row of an order, without the ids of its events, which change when they are restored. */
async function listRows(id: string): Promise<unknown[]> {
	const found: unknown[] = [];
	for (const table of copiedTableNames) {
		const row = table === "order_events" ? sql`to_jsonb(t) - 'id'` : sql`to_jsonb(t)`;
		const { rows } = await sql<{ row: unknown }>`
			select ${row} as row from ${sql.table(table)} t where ${sql.ref(table === "orders" ? "id" : "order_id")} = ${id}
			order by ${row}::text`.execute(shop.db);
		found.push([table, rows.map((each) => each.row)]);
	}
	return found;
}

/** Deletes orders with everything, like the restore of an older database. */
async function loseOrders(orders: readonly Order[]): Promise<void> {
	await shop.inTransaction(async (trx) => {
		await sql`set local session_replication_role = replica`.execute(trx);
		const ids = orders.map(({ id }) => id);
		for (const table of [...copiedTableNames, "order_copies" as const, "order_copy_requests" as const])
			await sql`delete from ${sql.table(table)} where ${sql.ref(table === "orders" ? "id" : "order_id")} = any(${ids})`.execute(trx);
	});
}

/** Copies orders, as the e-mails with their credit notes do when they leave. */
async function copyAll(orders: readonly Order[]): Promise<void> {
	await shop.inTransaction((trx) =>
		requestCopies(
			trx,
			orders.map(({ id }) => id),
		),
	);
	await copyChangedOrders(shop);
}

describe("the copies of a purchase", () => {
	test("are those of all its orders, from the invoice on", async () => {
		const { orders } = await insertInvoicedPurchase();
		for (const order of orders) {
			const found = await readCopy(shop, order.id);
			expect(found.ok && found.copy.orders[0]?.id).toBe(order.id);
			expect(found.ok && found.copy.purchase).toEqual(orders.map(({ id }) => id));
		}
	});

	test("recreate a lost purchase that is partly refunded, from any of its orders", async () => {
		const { orders, refund } = await insertInvoicedPurchase();
		const [first, second, third] = orders;
		await refund(second, 900);
		await refund(third);
		await copyAll(orders);
		const before = await Promise.all(orders.map(({ id }) => listRows(id)));
		await loseOrders(orders);
		expect(await recreateOrder(shop, second.id)).toMatchObject({ ok: false, code: "first-missing", orderNumber: second.order_number });
		const { asked, others } = await recreatePurchase(shop, third.id);
		const purchase = [first.id, second.id, third.id];
		expect(asked).toEqual({ ok: true, orderNumber: third.order_number, purchaseId: first.id, purchase, what: "made" });
		expect(others).toMatchObject([
			{ orderId: first.id, result: { ok: true, what: "made" } },
			{ orderId: second.id, result: { ok: true, what: "made" } },
		]);
		expect(await Promise.all(orders.map(({ id }) => listRows(id)))).toEqual(before);
		expect(await recreatePurchase(shop, third.id)).toMatchObject({ asked: { what: "here" }, others: [] });
		// each order is copied again
		await copyChangedOrders(shop);
		const { rows } = await sql<{ order_id: string }>`
			select order_id from order_copies where key_id is not null and order_id = any(${orders.map(({ id }) => id)})`.execute(shop.db);
		expect(rows).toHaveLength(3);
	});

	test("are made of the first order, and then of another, before its credit note", async () => {
		const { orders, payment } = await insertInvoicedPurchase();
		const [first, second] = orders;
		const { id } = await shop.insertRefund(payment, { order_id: second.id, amount_cents: 100, settled_at: shop.now() });
		const copied: string[] = [];
		const putObject: typeof shop.storage.putObject = async (name, bytes) => {
			copied.push(name);
			await shop.storage.putObject(name, bytes);
		};
		await creditRefund({ ...getContext(), storage: { ...shop.storage, putObject } }, id);
		expect(copied.filter((name) => name.startsWith("orders/"))).toEqual([first, second].map((order) => getCopyName(order.id)));
	});

	test("bring the first order forward before a credit note that corrects its invoice", async () => {
		const { orders, payment } = await shop.insertPaidPurchase(["standard", "express"]);
		const [first, second] = orders as [Order, Order];
		await invoiceOrder(getContext(), first.id);
		const { id } = await shop.insertRefund(payment, { order_id: second.id, amount_cents: 5900, settled_at: shop.now() });
		await creditRefund(getContext(), id);
		await copyAll([first, second]);
		const before = await Promise.all([first, second].map((order) => listRows(order.id)));
		await loseOrders([second]);
		await shop.inTransaction(async (trx) => {
			await sql`set local session_replication_role = replica`.execute(trx);
			for (const table of ["invoices", "documents", "mails"] as const)
				await trx.deleteFrom(table).where("order_id", "=", first.id).execute();
		});
		expect(await recreateOrder(shop, second.id)).toMatchObject({ ok: false, code: "first-missing" });
		const { asked, others } = await recreatePurchase(shop, second.id);
		expect([asked, others]).toMatchObject([{ what: "made" }, [{ result: { what: "brought-forward" } }]]);
		expect(await Promise.all([first, second].map((order) => listRows(order.id)))).toEqual(before);
	});
});
