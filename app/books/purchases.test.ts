import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccountsFixture, createAccountsFixture } from "../../test/accounts.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { type ServiceCode, services } from "../catalogue/services.ts";
import { creditRefund } from "../fulfilment/invoice-order.server.ts";
import { calculateAmounts } from "../orders/invoices/invoice-amounts.ts";
import { listInvoicesOfPurchase } from "../orders/invoices/invoices.store.server.ts";
import { checkMonth } from "./checks/check-month.server.ts";
import { formatFinding } from "./checks/finding.ts";
import { closeMonth, getMonthFile } from "./closing/close-month.server.ts";
import { listEntries } from "./entries.store.server.ts";
import { listMargins } from "./files/files.store.server.ts";
import { fecFields, writeFec } from "./files/journal-files.ts";
import { letterLines } from "./letter-lines.ts";
import type { Month } from "./month.ts";
import { postEntries } from "./post-entries.server.ts";
import { readJournal } from "./read-journal.server.ts";

// Purchases of several orders in the books.

let shop: AccountsFixture;
beforeAll(async () => {
	shop = await createAccountsFixture("2026-10-01T09:00:00Z");
});
afterAll(() => shop?.close());

const toMonth = (text: string) => text as Month;
const readFile = async (month: string, key: "journal" | "e-reporting" | "invoices") => {
	const file = await getMonthFile(shop, toMonth(month), key);
	return file.ok ? Buffer.from(file.bytes).toString() : file.code;
};

test("a purchase is booked under its first order, with a refund of each order, and settles", async () => {
	const { orders, payment } = await shop.sellSeveral("2026-10-10T09:00:00Z", ["standard", "express", "express"]);
	const [first, second, third] = orders;
	await shop.refund(payment, "2026-10-11T09:00:00Z", { amount: 900, orderId: second?.id });
	await shop.refund(payment, "2026-10-12T09:00:00Z", { amount: 5900, orderId: third?.id });
	// one refund of the provider, which two orders share
	const shared = { settled_at: new Date("2026-10-13T09:00:00Z"), requested_at: new Date("2026-10-13T09:00:00Z"), provider_id: "re_shared" };
	for (const share of [
		{ order_id: first.id, amount_cents: 3900 },
		{ order_id: second?.id, amount_cents: 5000 },
	])
		await creditRefund(shop, (await shop.insertRefund(payment, { ...shared, ...share })).id);
	await shop.readProvider("2026-11-02T09:00:00Z");
	await postEntries(shop);
	const entries = await listEntries(shop.db, toMonth("2026-10"));
	expect(new Set(entries.map(({ subject }) => subject))).toEqual(new Set([first.order_number]));
	expect(entries.filter(({ label }) => label.includes(third?.order_number ?? "")).map(({ fact }) => fact.split(":", 1)[0])).toEqual([
		"invoice",
		"refund",
	]);
	// the customer's account is settled once all is refunded, to the cent
	const customers = entries.flatMap((entry) => entry.lines.filter(({ account }) => account === "customers"));
	expect(customers.reduce((sum, { debit, credit }) => sum + debit - credit, 0)).toBe(0);
	expect(letterLines(entries).size).toBe(customers.length);
	expect((await checkMonth(shop.db, toMonth("2026-10"))).map(formatFinding)).toEqual([]);
	const [margin] = await listMargins(shop.db, toMonth("2026-10"), { usualCost: 320, asOf: null });
	expect(margin).toMatchObject({ subject: first.order_number, service: null, fees: 114, net: expect.closeTo(0, -1) });
});

test("a credit note that is missing or on another order is found for the order that was refunded", async () => {
	const { orders, payment } = await shop.sellSeveral("2026-10-20T09:00:00Z", ["standard", "standard"]);
	const [first, second] = orders;
	const refund = await shop.refund(payment, "2026-10-21T09:00:00Z", { amount: 1200, orderId: second?.id });
	const find = async () => {
		await shop.readProvider("2026-11-03T09:00:00Z");
		await postEntries(shop);
		return (await checkMonth(shop.db, toMonth("2026-10"))).map(({ code, subject, amount }) => [code, subject, amount]);
	};
	expect(await find()).toEqual([]);
	const rollback = new Error("rollback");
	await shop.db
		.transaction()
		.execute(async (trx) => {
			await sql`set local session_replication_role = replica`.execute(trx);
			await trx.updateTable("invoices").set({ order_id: first.id }).where("refund_id", "=", refund.id).execute();
			expect((await checkMonth(trx, toMonth("2026-10"))).map(({ code, subject, amount }) => [code, subject, amount])).toEqual([
				["not-credited", second?.order_number, 1200],
				["over-credited", first.order_number, 1200],
			]);
			throw rollback;
		})
		.catch((error) => expect(error).toBe(rollback));
});

test(
	"months with purchases of one to five orders, partly refunded, close to the cent",
	async () => {
		const drawService = fc.constantFrom<ServiceCode>("standard", "express", "postal");
		const drawPurchase = fc.array(
			fc.record({ service: drawService, parts: fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 2 }) }),
			{
				minLength: 1,
				maxLength: 5,
			},
		);
		const month = toMonth("2026-11");
		await fc.assert(
			fc.asyncProperty(drawPurchase, async (lines) => {
				const { orders, payment } = await shop.sellSeveral(
					"2026-11-10T09:00:00Z",
					lines.map(({ service }) => service),
				);
				for (const [index, { service, parts }] of lines.entries()) {
					let left: number = services[service].price;
					for (const part of parts) {
						const amount = Math.floor((left * part) / 100);
						left -= amount;
						if (amount > 0) await shop.refund(payment, "2026-11-12T09:00:00Z", { amount, orderId: orders[index]?.id });
					}
				}
			}),
			{ numRuns: 12 },
		);
		await shop.readProvider("2026-12-02T09:00:00Z");
		await postEntries(shop);
		expect((await closeMonth(shop, toMonth("2026-10"), { closedBy: "Ada" })).ok).toBe(true);
		const closed = await closeMonth(shop, month, { closedBy: "Ada" });
		if (!closed.ok) throw new Error(closed.code === "differences" ? closed.findings.map(formatFinding).join("\n") : closed.code);

		const { rows } = await sql<{ id: string; paid: number; refunded: number; provider: number; customers: number }>`
			select payments.order_id as id, payments.amount_cents as paid,
				(select coalesce(sum(amount_cents), 0)::integer from refunds where payment_id = payments.id) as refunded,
				(select sum((line->>'debit')::integer - (line->>'credit')::integer)::integer from account_entries, jsonb_array_elements(lines) line
					where subject = orders.order_number and line->>'account' = 'provider') as provider,
				(select sum((line->>'debit')::integer - (line->>'credit')::integer)::integer from account_entries, jsonb_array_elements(lines) line
					where subject = orders.order_number and line->>'account' = 'customers') as customers
			from payments join orders on orders.id = payments.order_id where payments.created_at >= '2026-11-01'`.execute(shop.db);
		expect(rows).toHaveLength(12);
		let vat = 0;
		for (const { id, paid, refunded, provider, customers } of rows) {
			expect([provider, customers]).toEqual([paid - refunded - 114, 0]);
			const documents = await listInvoicesOfPurchase(shop.db, id);
			const sum = (kind: string) =>
				documents.filter((each) => each.kind === kind).reduce((total, { total_cents }) => total + total_cents, 0);
			expect([sum("invoice"), sum("credit_note")]).toEqual([paid, refunded]);
			for (const { kind, data } of documents) vat += (kind === "invoice" ? 1 : -1) * calculateAmounts(data).vat;
		}
		const declared = await sql<{ vat: number }>`
			select sum(vat_cents)::integer as vat from account_entries where vat_month = '2026-11-01'`.execute(shop.db);
		expect(declared.rows[0]?.vat).toBe(vat);
		expect(await readFile("2026-11", "invoices")).toContain("Facture");
		expect(JSON.parse(await readFile("2026-11", "e-reporting"))["flow 10.3"].transactions).not.toEqual([]);
	},
	scaledTimeout(120_000),
);

test("the file of entries has the invoice and the credit notes of a purchase with their amounts, under its first order", async () => {
	const { orders, payment } = await shop.sellSeveral("2026-12-10T09:00:00Z", ["standard", "express", "postal"]);
	const [first, second, third] = orders;
	await shop.refund(payment, "2026-12-11T09:00:00Z", { orderId: second?.id ?? "", amount: services.express.price });
	await shop.refund(payment, "2026-12-12T09:00:00Z", { orderId: third?.id ?? "", amount: 1001 });
	await postEntries(shop);
	const file = Buffer.from(writeFec(await readJournal(shop.db, toMonth("2026-12")))).toString("latin1");
	const [, ...rows] = file.trimEnd().split("\r\n");
	const lines = rows.map((row) => Object.fromEntries(row.split("\t").map((value, at) => [fecFields[at], value])));
	const toCents = (amount = "") => Number(amount.replace(",", ""));
	const entries = [...Map.groupBy(lines, ({ EcritureNum }) => EcritureNum).values()];
	expect(entries).toHaveLength(6);
	for (const entry of entries) {
		expect(entry.reduce((sum, { Debit, Credit }) => sum + toCents(Debit) - toCents(Credit), 0)).toBe(0);
		for (const { CompteNum, CompAuxNum, CompAuxLib } of entry)
			expect([CompAuxNum, CompAuxLib]).toEqual(CompteNum === "411000" ? [first.order_number, `Commande ${first.order_number}`] : ["", ""]);
	}

	// what a document says, as its lines in the file
	const documents = await listInvoicesOfPurchase(shop.db, first.id);
	expect(documents.map(({ data }) => data.lines.length)).toEqual([3, 1, 1]);
	for (const { kind, number, data } of documents) {
		const { total, net, vat } = calculateAmounts(data);
		const sign = kind === "invoice" ? 1 : -1;
		const booked = lines.filter(({ PieceRef }) => PieceRef === number);
		expect(booked.map(({ CompteNum, Debit, Credit }) => [CompteNum, toCents(Debit) - toCents(Credit)])).toEqual([
			["411000", sign * total],
			["706000", -sign * net],
			["445710", -sign * vat],
		]);
	}
	const total = (account: string) =>
		lines.reduce((sum, { CompteNum, Debit, Credit }) => sum + (CompteNum === account ? toCents(Debit) - toCents(Credit) : 0), 0);
	expect([total("411000"), total("467000")]).toEqual([0, payment.amount_cents - services.express.price - 1001]);
	// each letter closes at 0: the sale, then each refund with its credit note
	const letters = Map.groupBy(
		lines.filter(({ CompteNum }) => CompteNum === "411000"),
		({ EcritureLet }) => EcritureLet,
	);
	expect([...letters.keys()]).toEqual(["A", "B", "C"]);
	for (const lettered of letters.values())
		expect(lettered.reduce((sum, { Debit, Credit }) => sum + toCents(Debit) - toCents(Credit), 0)).toBe(0);
	for (const order of [second, third]) {
		const named = lines.filter(({ EcritureLib }) => EcritureLib?.endsWith(`commande ${order?.order_number}`));
		expect(named.map(({ JournalCode }) => JournalCode)).toEqual(["VT", "VT", "VT", "PP", "PP"]);
	}
});
