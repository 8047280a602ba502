import { inspect } from "node:util";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawHistories, type Perturbations, type Scenario } from "../../proof/histories/history.ts";
import { runHistory } from "../../proof/histories/run-history.ts";
import { type HistoryShop, openHistoryShop } from "../../proof/histories/shop.ts";
import { typedKeys } from "../../server/types/objects.ts";
import { createTestDatabase } from "../../test/database.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { parseStoredInvoice } from "../orders/invoices/invoice.ts";
import { calculateAmounts } from "../orders/invoices/invoice-amounts.ts";
import { listOrdersOfPurchase } from "../orders/orders.store.server.ts";
import { formatFinding } from "./checks/finding.ts";
import { closeMonth, getMonthFile } from "./closing/close-month.server.ts";
import { findFirstOpen } from "./closing/closings.store.server.ts";
import { monthFiles } from "./files/month-files.server.ts";
import { getBounds, type Month } from "./month.ts";
import { updateAccounts } from "./update-accounts.server.ts";

// Random histories of orders, refunds, disputes and corrections: whatever happens, the books balance and the months can be closed.

const places: HistoryShop[] = [];
beforeAll(async () => {
	for (let at = 0; at < 2; at++) places.push(await openHistoryShop((await createTestDatabase()).connection));
});
afterAll(async () => {
	for (const place of places) await place.close();
});

/** The balance of an account in the entries about an order, or about all, posted since an entry. Debits are positive. */
async function sumAccount(
	{ shop: { db } }: HistoryShop,
	account: string,
	{ subject, after }: { subject?: string; after: number },
): Promise<number> {
	const { rows } = await sql<{ sum: number }>`
		select coalesce(sum((line->>'debit')::integer - (line->>'credit')::integer), 0)::integer as sum
		from account_entries cross join jsonb_array_elements(lines) line
		where id > ${after} and line->>'account' = ${account} and (${subject ?? null}::text is null or subject = ${subject ?? null})`.execute(
		db,
	);
	return rows[0]?.sum ?? 0;
}

/** What the tables of orders say that the customer of a purchase owes: invoices and refunds, less credit notes and payments. */
async function sumOwed({ shop: { db } }: HistoryShop, purchaseId: string): Promise<number> {
	const ofPurchase = sql`order_id in (select id from orders where purchase_id = ${purchaseId})`;
	const { rows } = await sql<{ owed: number }>`
		select (
			(select coalesce(sum(case kind when 'invoice' then total_cents else -total_cents end), 0) from invoices where ${ofPurchase})
			- (select coalesce(sum(amount_cents), 0) from payments where order_id = ${purchaseId} and role = 'order')
			+ (select coalesce(sum(refunds.amount_cents), 0) from refunds join payments on payments.id = payment_id
				where refunds.order_id in (select id from orders where purchase_id = ${purchaseId}) and refunds.status = 'succeeded' and role = 'order')
		)::integer as owed`.execute(db);
	return rows[0]?.owed ?? 0;
}

async function readFiles({ shop }: HistoryShop, month: Month): Promise<string> {
	const files = [];
	for (const key of typedKeys(monthFiles)) {
		const file = await getMonthFile(shop, month, key);
		files.push(file.ok ? `${file.name} ${file.sha256}` : file.code);
	}
	return files.join("\n");
}

async function checkBooks(place: HistoryShop, scenario: Scenario, perturbations: Perturbations | null): Promise<void> {
	const { shop, books } = place;
	const { db } = shop;
	const { id: before } = await db
		.selectFrom("account_entries")
		.select(({ fn }) => fn.max<string | null>("id").as("id"))
		.executeTakeFirstOrThrow();
	const after = Number(before ?? 0);
	const { orderId } = await runHistory(place, scenario, perturbations);
	Object.assign(books.faults, { outages: 0, lostAnswers: 0 });
	const order = await db.selectFrom("orders").select("order_number").where("id", "=", orderId).executeTakeFirstOrThrow();
	expect(await updateAccounts(shop)).toMatchObject({ ok: true });
	expect(await updateAccounts(shop)).toMatchObject({ ok: true, posted: 0 });

	// what customers owe, and what the provider holds
	const owed = await sumAccount(place, "customers", { subject: order.order_number, after });
	expect(owed).toBe(await sumOwed(place, orderId));
	const ids = (await listOrdersOfPurchase(db, orderId)).map(({ id }) => id);
	const pending = await db.selectFrom("refunds").select("id").where("order_id", "in", ids).where("status", "=", "pending").execute();
	const held = books.movements.reduce((sum, { amount, fee }) => sum + amount - fee, 0);
	if (pending.length === 0) expect(await sumAccount(place, "provider", { after })).toBe(held);

	// the months of the history can be closed, with the VAT of its invoices, and their files stay the same
	let declared = 0;
	for (let month = await findFirstOpen(db); month !== null; month = await findFirstOpen(db)) {
		place.advanceClock(Math.max(0, getBounds(month).until.getTime() - shop.now().getTime()) + 60_000);
		await updateAccounts(shop);
		const files = await readFiles(place, month);
		expect(await readFiles(place, month)).toBe(files);
		const closed = await closeMonth(shop, month, { closedBy: "test" });
		if (!closed.ok) throw new Error(closed.code === "differences" ? closed.findings.map(formatFinding).join("\n") : closed.code);
		expect(await readFiles(place, month)).toBe(files);
		expect(await closeMonth(shop, month, { closedBy: "test" })).toMatchObject({ ok: true, again: true, closing: closed.closing });
		const { rows } = await sql<{ vat: number }>`
			select coalesce(sum(vat_cents), 0)::integer as vat from account_entries where to_char(vat_month, 'YYYY-MM') = ${month} and id > ${after}`.execute(
			db,
		);
		declared += rows[0]?.vat ?? 0;
	}
	const invoices = await db.selectFrom("invoices").select("data").where("order_id", "in", ids).execute();
	const vat = invoices.reduce((sum, { data }) => {
		const invoice = parseStoredInvoice(data);
		return sum + (invoice.kind === "invoice" ? 1 : -1) * calculateAmounts(invoice).vat;
	}, 0);
	expect(declared).toBe(vat);
	expect(await updateAccounts(shop)).toMatchObject({ ok: true, posted: 0 });
}

test(
	"the books of any history balance, agree with invoices and provider to the cent, and can be closed once",
	async () => {
		const seed = Date.now() % 2 ** 31;
		const results = await Promise.all(
			places.map((place, at) =>
				fc.check(
					fc.asyncProperty(drawHistories(1, 6), async ({ scenario, perturbations }) => {
						await checkBooks(place, scenario, null);
						for (const perturbed of perturbations) await checkBooks(place, scenario, perturbed);
					}),
					{ numRuns: 8, seed: seed + at },
				),
			),
		);
		const failed = results.find((result) => result.failed);
		expect(failed ? `${fc.defaultReportMessage(failed)}\n${inspect(failed.errorInstance)}` : null).toBeNull();
	},
	scaledTimeout(180_000),
);
