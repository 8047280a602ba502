import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { toJson } from "../../../server/database/column-types.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import { isUnfinished } from "../../desk/retention/retention.store.server.ts";
import { resendEmail } from "../../emails/resend-email.server.ts";
import { sendOrderEmail } from "../../emails/send-order-email.server.ts";
import type { OutgoingMail } from "../../mail/mailer.ts";
import { deleteOrders } from "../../orders/erased-orders.store.server.ts";
import { deleteInvoices, type IssuedInvoice, listInvoices } from "../../orders/invoices/invoices.store.server.ts";
import type { Order } from "../../orders/order.ts";
import { creditRefund, invoiceOrder } from "../invoice-order.server.ts";
import { requeueStalledOrders } from "../requeue-stalled-orders.server.ts";
import { type Buyer, correctInvoice, findCorrectableInvoice } from "./correct-invoice.server.ts";

const day = 86_400_000;
let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T10:00:00Z" });
});
beforeEach(() => {
	shop.clock.now = shop.start;
});
afterAll(() => shop?.close());

const makePdf = async () => new TextEncoder().encode(`%PDF-1.7 ${crypto.randomUUID()}`);
const getContext = () => ({ ...shop, makePdf });
const list = (order: Order) => listInvoices(shop.db, order);
const listNumbers = async (order: Order) => (await list(order)).map(({ number }) => number);
const find = (order: Order) => findCorrectableInvoice(shop.db, order.purchase_id, shop.now());

/** Inserts a completed order with its invoice. */
async function invoiced(values: OrderValues = {}) {
	const address = { address: "1 rue de la Paix", postal_code: "75002", city: "Paris" };
	const { order, payment } = await shop.insertPaidOrder({ status: "completed", completed_at: shop.now(), ...address, ...values });
	await invoiceOrder(getContext(), order.id);
	const [invoice] = (await list(order)) as [IssuedInvoice];
	return { order, payment, invoice };
}

const company: Buyer = {
	...{ name: "ANALYSE SAS", contact: "Ada Lovelace", address: "2 quai Perrache", postalCode: "69002", city: "Lyon" },
	...{ siren: "356000000", vat: "FR39356000000" },
};
const correct = (order: Order, seen: string, buyer: Buyer = company) => correctInvoice(getContext(), order.id, "purchase", { seen, buyer });
/** Corrects the invoice and makes the PDFs. @returns the number of the new invoice. */
async function corrected(order: Order, seen: string, buyer: Buyer = company): Promise<string> {
	const outcome = await correct(order, seen, buyer);
	if (!outcome.ok) throw new Error(outcome.code);
	await invoiceOrder(getContext(), order.id);
	return outcome.number;
}

/** Sends the unsent e-mails of an order. */
async function sendMails(order: Order) {
	const outgoing: OutgoingMail[] = [];
	const mailer = { name: "memory", send: async (mail: OutgoingMail) => ({ ok: !!outgoing.push(mail) }) as const, ready: async () => true };
	for (const { id } of await shop.getMails(order)) await sendOrderEmail({ ...shop, mailer } as never, id);
	return outgoing.map(({ subject, text, attachments }) => ({
		...{ subject, text: text.replaceAll("\u00a0", " ") },
		files: attachments?.map(({ fileName }) => fileName),
	}));
}

describe("a corrected invoice", () => {
	test("is cancelled by a credit note and replaced by an invoice to the new buyer, with the same amounts and dates", async () => {
		const { order, invoice } = await invoiced();
		shop.clock.now = shop.after(day);
		const number = await corrected(order, invoice.number);
		const [first, second, note] = (await list(order)) as [IssuedInvoice, IssuedInvoice, IssuedInvoice];
		expect(first).toEqual(invoice);
		const issuedAt = shop.after(day).toISOString();
		expect(second).toMatchObject({ number, kind: "invoice", replaces: invoice.id, corrects: null, refund_id: null, total_cents: 5900 });
		expect(second.data).toEqual({
			...invoice.data,
			...{ number, issuedAt, buyer: company, replaces: { number: invoice.number, issuedAt: invoice.data.issuedAt } },
		});
		expect(note).toMatchObject({ kind: "credit_note", corrects: invoice.id, replaces: null, refund_id: null, total_cents: 5900 });
		expect(note.data).toEqual({
			...invoice.data,
			...{ kind: "credit_note", number: note.number, issuedAt, paidAt: issuedAt, replacedBy: number },
			corrects: { number: invoice.number, issuedAt: invoice.data.issuedAt },
		});
	});

	test("is an event of the order; a job makes both PDFs, and one e-mail has the new invoice", async () => {
		const { order, invoice } = await invoiced();
		const outcome = await correct(order, invoice.number);
		const number = outcome.ok ? outcome.number : "";
		expect((await shop.getEvents(order)).at(-1)).toMatchObject({
			...{ event_type: "invoice_corrected", payload: { invoice: number, replaces: invoice.number } },
		});
		expect(await shop.getJobs("invoice-order", number)).toHaveLength(1);
		expect(await isUnfinished(shop.db, order.id)).toBe(true);
		await invoiceOrder(getContext(), order.id);
		await invoiceOrder(getContext(), order.id);
		const issued = await list(order);
		expect(issued.every(({ document_id }) => document_id !== null)).toBe(true);
		expect((await shop.getDocuments(order)).map(({ doc_type }) => doc_type).sort()).toEqual(["credit_note", "invoice", "invoice"]);
		expect((await shop.getMails(order)).map(({ kind, document_id }) => [kind, document_id])).toEqual([
			["confirmation", invoice.document_id],
			["invoice-corrected", issued[1]?.document_id],
		]);
		expect(await isUnfinished(shop.db, order.id)).toBe(false);
		const [confirmation, corrected] = await sendMails(order);
		expect([confirmation?.subject.includes("corrigée"), corrected?.subject.includes("corrigée")]).toEqual([false, true]);
		expect(corrected?.files).toEqual([`Facture_${outcome.ok && outcome.number}.pdf`, expect.stringMatching(/^Avoir_A/)]);
		for (const each of issued) expect(await shop.storage.findObject(`invoices/${each.number}`)).not.toBeNull();
	});

	test("is the one of a confirmation that is sent again, with the credit note of the previous one", async () => {
		const { order, invoice } = await invoiced();
		const [confirmation] = await sendMails(order);
		expect(confirmation).toMatchObject({
			text: expect.stringContaining("Votre facture est jointe"),
			files: [`Facture_${invoice.number}.pdf`],
		});
		const second = await corrected(order, invoice.number);
		const third = await corrected(order, second, { ...company, name: "B SAS" });
		await sendMails(order);
		await resendEmail(shop, { orderId: order.id, kind: "confirmation" });
		const [note] = (await list(order)).filter(({ data }) => data.kind === "credit_note" && data.corrects?.number === second);
		expect(await sendMails(order)).toMatchObject([
			{
				subject: `DANONE\u00a0: commande ${order.order_number} confirmée`,
				text: expect.stringContaining("Votre facture corrigée est jointe à ce message, avec l’avoir qui annule la précédente."),
				files: [`Facture_${third}.pdf`, `Avoir_${note?.number}.pdf`],
			},
		]);
	});

	test("makes a confirmation wait for its PDF", async () => {
		const { order, invoice } = await invoiced();
		const outcome = await correct(order, invoice.number);
		await expect(sendMails(order)).rejects.toThrow("has no PDF yet");
		await invoiceOrder(getContext(), order.id);
		const [confirmation] = await sendMails(order);
		expect(confirmation?.files?.[0]).toBe(`Facture_${outcome.ok && outcome.number}.pdf`);
	});

	test("whose job was lost gets its PDFs within minutes", async () => {
		const { order, invoice } = await invoiced();
		const outcome = await correct(order, invoice.number);
		await shop.db
			.withSchema("jobs")
			.deleteFrom("job" as never)
			.execute();
		shop.clock.now = shop.after(5 * 60_000);
		await requeueStalledOrders(shop);
		expect([outcome.ok, await shop.getJobs("invoice-order", order.id)]).toMatchObject([true, [{ data: { orderId: order.id } }]]);
	});

	test("may be corrected again, three times in all", async () => {
		const { order, invoice } = await invoiced();
		let { number } = invoice;
		for (const name of ["A SAS", "B SAS", "C SAS"]) number = await corrected(order, number, { ...company, name });
		const issued = await list(order);
		expect(issued.map(({ data }) => [data.kind, data.buyer.name, data.replaces?.number ?? data.corrects?.number])).toEqual([
			["invoice", "Ada Lovelace", undefined],
			["invoice", "A SAS", issued[0]?.number],
			["invoice", "B SAS", issued[1]?.number],
			["invoice", "C SAS", issued[2]?.number],
			["credit_note", "Ada Lovelace", issued[0]?.number],
			["credit_note", "A SAS", issued[1]?.number],
			["credit_note", "B SAS", issued[2]?.number],
		]);
		expect(issued.find(({ data }) => data.kind === "credit_note" && data.buyer.name === "A SAS")?.data).not.toHaveProperty("replaces");
		expect(await correct(order, number)).toEqual({ ok: false, code: "too-many" });
	});

	test("is the one that a later refund credits, in full", async () => {
		const { order, payment, invoice } = await invoiced();
		const number = await corrected(order, invoice.number);
		const refund = await shop.insertRefund(payment);
		await creditRefund(getContext(), refund.id);
		const note = (await list(order)).find(({ refund_id }) => refund_id === refund.id);
		expect(note).toMatchObject({ total_cents: 5900, data: { corrects: { number }, buyer: { name: "ANALYSE SAS", vat: "FR39356000000" } } });
		expect([note?.data.replaces, note?.data.replacedBy]).toEqual([undefined, undefined]);
		expect(await isUnfinished(shop.db, order.id)).toBe(false);
	});

	test("is not taken for money back: a refund without its credit note stays unfinished", async () => {
		const { order, payment, invoice } = await invoiced();
		await corrected(order, invoice.number);
		await shop.insertRefund(payment);
		expect(await isUnfinished(shop.db, order.id)).toBe(true);
	});

	test("goes with its order, after the years of the law", async () => {
		const { order, invoice } = await invoiced();
		await corrected(order, invoice.number);
		await shop.inTransaction(async (trx) => {
			await deleteInvoices(trx, [order.id]);
			for (const table of ["mails", "documents", "payments"] as const)
				await trx.deleteFrom(table).where("order_id", "=", order.id).execute();
			await deleteOrders(trx, [order.id]);
		});
		expect(await list(order)).toEqual([]);
	});
});

describe("two corrections at once make one", () => {
	test.each([
		["of the same form", company],
		["of two forms", { ...company, name: "AUTRE SAS" }],
	])("%s", async (_what, other) => {
		const { order, invoice } = await invoiced();
		const outcomes = await Promise.all([correct(order, invoice.number), correct(order, invoice.number, other)]);
		expect(outcomes.map((outcome) => (outcome.ok ? "corrected" : outcome.code)).sort()).toEqual(["corrected", "corrected-meanwhile"]);
		expect(await list(order)).toHaveLength(3);
	});

	test("corrections of many orders leave no gap", async () => {
		const all = await Promise.all(Array.from({ length: 6 }, () => invoiced()));
		const outcomes = await Promise.all(all.map(({ order, invoice }) => correct(order, invoice.number)));
		expect(outcomes.every(({ ok }) => ok)).toBe(true);
		const issued = (await Promise.all(all.map(({ order }) => list(order)))).flat();
		for (const kind of ["invoice", "credit_note"] as const) {
			const places = issued
				.filter((row) => row.kind === kind)
				.map((row) => row.number_in_year)
				.sort((one, other) => one - other);
			expect(places).toEqual(places.map((_, index) => (places[0] ?? 0) + index));
		}
	});

	test("the table refuses a second replacement, a second cancellation, and a second first invoice", async () => {
		const { order, invoice } = await invoiced();
		await corrected(order, invoice.number);
		for (const issued of await list(order)) {
			const { id: _, data, ...row } = issued;
			const copy = { ...row, id: crypto.randomUUID(), number: crypto.randomUUID(), number_in_year: 99_999, data: toJson(data) };
			await expect(shop.db.insertInto("invoices").values(copy).execute()).rejects.toThrow(
				/invoices_(first_of_order|replaced_once|cancelled_once)/,
			);
		}
	});
});

describe("an invoice stays as it is", () => {
	const refuse = async (order: Order, seen: string) => {
		const before = await listNumbers(order);
		const outcome = await correct(order, seen);
		expect(await listNumbers(order)).toEqual(before);
		return outcome.ok ? "corrected" : outcome.code;
	};

	test("after thirty days, also when it was corrected before", async () => {
		const { order, invoice } = await invoiced();
		// an earlier number may have a later date than the clock
		const since = (time: number) => new Date(invoice.issued_at.getTime() + time);
		shop.clock.now = since(29 * day);
		const number = await corrected(order, invoice.number);
		shop.clock.now = since(30 * day);
		expect(await find(order)).toMatchObject({ ok: true, invoice: { number }, until: since(30 * day), left: 2 });
		shop.clock.now = since(30 * day + 1);
		expect([await find(order), await refuse(order, number)]).toEqual([{ ok: false, code: "too-late" }, "too-late"]);
	});

	test.each<[string, OrderValues, string]>([
		["the payment is disputed", { disputed_at: new Date(), dispute_status: "open" }, "disputed"],
		["the dispute was lost", { dispute_status: "lost" }, "disputed"],
		["the order failed", { status: "failed", failure_reason: "operator" }, "refunded"],
		["the customer was erased", { erased_at: new Date() }, "no-invoice"],
	])("when %s", async (_what, values, code) => {
		const { order, invoice } = await invoiced();
		await shop.db.updateTable("orders").set(values).where("id", "=", order.id).execute();
		expect(await refuse(order, invoice.number)).toBe(code);
	});

	test.each(["requested", "pending", "succeeded"] as const)(
		"when a refund is %s; a refused one, or one of a duplicate payment, hinders nothing",
		async (status) => {
			const { order, payment, invoice } = await invoiced();
			const duplicate = await shop.insertPayment(order, { role: "surplus" });
			await shop.insertRefund(duplicate, { reason: "surplus" });
			await shop.insertRefund(payment, { status: "refused", settled_at: null });
			expect((await find(order)).ok).toBe(true);
			await shop.insertRefund(payment, { status, amount_cents: 100 });
			expect(await refuse(order, invoice.number)).toBe("refunded");
		},
	);

	test("when a refund was credited, even if the bank returned it", async () => {
		const { order, payment, invoice } = await invoiced();
		const refund = await shop.insertRefund(payment);
		await creditRefund(getContext(), refund.id);
		await shop.db.updateTable("refunds").set({ status: "failed" }).where("id", "=", refund.id).execute();
		expect(await refuse(order, invoice.number)).toBe("refunded");
	});

	test("when nothing is different", async () => {
		const { order, invoice } = await invoiced();
		const { buyer } = invoice.data;
		expect(await correct(order, invoice.number, buyer)).toEqual({ ok: false, code: "unchanged" });
		// an empty part is none
		expect(await correct(order, invoice.number, { ...buyer, siren: "", vat: "" })).toEqual({ ok: false, code: "unchanged" });
	});

	test.each(["name", "contact", "address", "postalCode", "city", "siren", "vat"] as const)(
		"unless the %s alone is another one",
		async (part) => {
			const { order, invoice } = await invoiced();
			const { buyer } = invoice.data;
			expect(await correct(order, invoice.number, { ...buyer, [part]: company[part] })).toMatchObject({ ok: true });
		},
	);

	test("for those who may not ask for it", async () => {
		const { order, invoice } = await invoiced();
		const outcome = await correctInvoice(getContext(), order.id, "line", { seen: invoice.number, buyer: company });
		expect([outcome, await listNumbers(order)]).toEqual([{ ok: false, code: "no-access" }, [invoice.number]]);
	});

	test("before there is one, while its PDF is made, and for an order without a number like the seen one", async () => {
		const { order } = await shop.insertPaidOrder();
		expect(await refuse(order, "F2026-000001")).toBe("no-invoice");
		const { order: other, invoice } = await invoiced();
		expect(await refuse(other, "F2020-000001")).toBe("corrected-meanwhile");
		await correct(other, invoice.number);
		expect(await find(other)).toEqual({ ok: false, code: "not-ready" });
		const number = (await list(other))[1]?.number ?? "";
		expect([await refuse(other, number), await refuse(other, invoice.number)]).toEqual(["not-ready", "corrected-meanwhile"]);
	});

	test("after ten tries within an hour, with the wait", async () => {
		const { order } = await invoiced();
		for (let tries = 0; tries < 10; tries++) await correct(order, "F2020-000001");
		expect(await correct(order, "F2020-000001")).toEqual({ ok: false, code: "limited", retryAfter: expect.any(Number) });
	});

	test("while the storage does not answer", async () => {
		const { order, invoice } = await invoiced();
		const storage = { ...shop.storage, ready: async () => false };
		await expect(correctInvoice({ ...shop, storage }, order.id, "purchase", { seen: invoice.number, buyer: company })).rejects.toThrow(
			"does not answer",
		);
		expect(await listNumbers(order)).toEqual([invoice.number]);
	});
});

test("changes the references of the lines, each with its order and its event", async () => {
	const { orders } = await shop.insertPaidPurchase(["standard", "standard"], { status: "completed", completed_at: shop.now() });
	const [order, second] = orders as [Order, Order];
	await invoiceOrder(getContext(), order.id);
	const [invoice] = (await list(order)) as [IssuedInvoice];
	const outcome = await correctInvoice(getContext(), order.id, "purchase", {
		...{ seen: invoice.number, buyer: invoice.data.buyer, references: ["", "dossier 9"] },
	});
	expect(outcome).toMatchObject({ ok: true });
	const issued = (await list(order)).find(({ replaces }) => replaces === invoice.id);
	expect(issued?.data.lines.map(({ reference }) => reference)).toEqual([undefined, "dossier 9"]);
	const listEvents = (id: string) =>
		shop.db.selectFrom("order_events").select("id").where("order_id", "=", id).where("event_type", "=", "invoice_corrected").execute();
	expect([(await listEvents(order.id)).length, (await listEvents(second.id)).length]).toEqual([1, 1]);
	const rows = await shop.db
		.selectFrom("orders")
		.select("reference")
		.where("purchase_id", "=", order.id)
		.orderBy("purchase_line")
		.execute();
	expect(rows.map(({ reference }) => reference)).toEqual([null, "dossier 9"]);
});
