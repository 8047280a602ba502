import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFinishedPurchases } from "../../../test/fixtures/finished-purchases.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import type { ServiceCode } from "../../catalogue/services.ts";
import { listPurchases } from "../../customer/space/purchases.store.server.ts";
import { packContent } from "../../mail/pack-content.server.ts";
import { insertSentEmail } from "../../mail/sent-emails.store.server.ts";
import { copyChangedOrders } from "../../orders/copies/copy-changed-orders.server.ts";
import { requestCopies } from "../../orders/copies/order-copies.store.server.ts";
import { readCopy } from "../../orders/copies/read-copy.server.ts";
import { listOpenings, recordOpening } from "../../orders/documents/documents.store.server.ts";
import { eraseOrders } from "./erase-orders.server.ts";
import { erasePerson } from "./erase-person.server.ts";
import { exportPerson } from "./export-person.server.ts";
import { purge } from "./purge.server.ts";

// Contracts of 120 € and more are kept for ten years from their delivery (docs/rules.md, R211).

let shop: OrderFixture;
let insertPurchase: ReturnType<typeof createFinishedPurchases>;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T10:00:00Z" });
	insertPurchase = createFinishedPurchases(shop);
});
afterAll(() => shop?.close());

const threeExtracts: ServiceCode[] = ["standard", "standard", "postal"]; // 122 €
const yearsAgo = (years: number, change = 0) => {
	const at = new Date(shop.now());
	at.setUTCFullYear(at.getUTCFullYear() - years);
	return new Date(at.getTime() + change);
};
const read = async (id: string) => {
	const { erased_at, archived_at, last_name } = await shop.getOrder(id);
	return { erased: erased_at !== null, archived: archived_at !== null, named: last_name !== "" };
};
const kept = { erased: false, archived: false, named: true };
const archived = { erased: false, archived: true, named: true };
const erased = { erased: true, archived: false, named: false };

test.each([
	{ what: "119,99 €", prices: [5999, 6000], becomes: erased },
	{ what: "120 €", prices: [6000, 6000], becomes: archived },
	{ what: "one order of 120 €", prices: [12_000], becomes: archived },
	{ what: "one order of 119,99 €", prices: [11_999], becomes: erased },
])("$what, three years old: what the purge leaves", async ({ prices, becomes }) => {
	const { orders } = await insertPurchase(yearsAgo(3, -1), { services: prices.map(() => "express") });
	for (const [index, price_cents] of prices.entries())
		await shop.db
			.updateTable("orders")
			.set({ price_cents })
			.where("id", "=", orders[index]?.id ?? "")
			.execute();
	await purge(shop);
	for (const { id } of orders) expect(await read(id)).toEqual(becomes);
});

test.each([
	{ what: "under three years old", at: yearsAgoOf(3, 1), becomes: kept },
	{ what: "three years old", at: yearsAgoOf(3, -1), becomes: archived },
	{ what: "ten years old", at: yearsAgoOf(10, 0), becomes: archived },
	{ what: "over ten years old", at: yearsAgoOf(10, -1), becomes: erased },
	{
		what: "paid over ten years ago, its last line delivered since",
		at: yearsAgoOf(10, -1),
		deliveredAt: yearsAgoOf(10, 1),
		becomes: archived,
	},
	{ what: "never delivered, paid ten years ago", at: yearsAgoOf(10, 0), failed: true, becomes: archived },
	{ what: "never delivered, paid over ten years ago", at: yearsAgoOf(10, -1), failed: true, becomes: erased },
])("a contract of 122 € $what", async ({ at, deliveredAt, failed, becomes }) => {
	const { orders } = await insertPurchase(at(), { services: threeExtracts });
	const last = orders[2]?.id ?? "";
	if (deliveredAt) await shop.db.updateTable("orders").set({ completed_at: deliveredAt() }).where("id", "=", last).execute();
	if (failed)
		await shop.db
			.updateTable("orders")
			.set({ completed_at: null, status: "failed", failure_reason: "cancelled" })
			.where("purchase_id", "=", orders[0].id)
			.execute();
	await purge(shop);
	for (const { id } of orders) expect(await read(id)).toEqual(becomes);
	await shop.db.updateTable("orders").set({ erased_at: shop.now() }).where("purchase_id", "=", orders[0].id).execute();
});

function yearsAgoOf(years: number, change: number) {
	return () => yearsAgo(years, change);
}

test("the purge archives a contract once, and erases it when its ten years are over", async () => {
	const { orders } = await insertPurchase(yearsAgo(4), { services: threeExtracts });
	const small = await insertPurchase(yearsAgo(4));
	const hasFingerprints = async (bought: typeof orders) => {
		const ids = bought.map(({ id }) => id);
		const invoices = await shop.db.selectFrom("invoices").select("mailbox_fingerprint").where("order_id", "in", ids).execute();
		return invoices.every(({ mailbox_fingerprint }) => mailbox_fingerprint !== null);
	};
	expect((await purge(shop)).orders).toBe(5);
	const { archived_at } = await shop.getOrder(orders[0].id);
	// only what is erased is found by its mailbox's fingerprint
	expect([await hasFingerprints(small.orders), await hasFingerprints(orders)]).toEqual([true, false]);
	expect((await purge({ ...shop, now: () => shop.after(86_400_000) })).orders).toBe(0);
	expect((await shop.getOrder(orders[0].id)).archived_at).toEqual(archived_at);
	const later = new Date(yearsAgo(-6).getTime() + 1);
	expect(await purge({ ...shop, now: () => later })).toMatchObject({ orders: 3 });
	expect(await read(orders[0].id)).toMatchObject({ erased: true, named: false });
});

describe("an archived contract", () => {
	const email = "ada.contract@example.fr";
	const insert = async () => {
		const bought = await insertPurchase(shop.now(), {
			...{ services: threeExtracts, customer_email: email, delivery_email: "grace@example.fr", phone: "06 12 34 56 78" },
		});
		const { first } = bought;
		const extract = await shop.insertDocument(first, "kbis");
		const content = await packContent({ subject: "Commande", text: `À ${email}`, html: `<p>${email}</p>` });
		for (const kind of ["confirmation", "document-ready"]) {
			const mail = { mailId: crypto.randomUUID(), orderId: first.id, kind, sentAt: shop.now(), recipient: email, attachments: [] };
			await shop.inTransaction((trx) => insertSentEmail(trx, { ...mail, addresses: [email], content }));
		}
		await recordOpening(shop.db, extract.id, shop.now());
		const event = {
			order_id: first.id,
			event_type: "address_corrected",
			payload: JSON.stringify({ address: "customer", before: "x@y.fr" }),
		};
		await shop.db
			.insertInto("order_events")
			.values({ ...event, created_at: shop.now() })
			.execute();
		await shop.db
			.insertInto("document_shares")
			.values({ id: crypto.randomUUID(), document_id: extract.id, label: "Banque", created_at: shop.now(), expires_at: shop.after(1000) })
			.execute();
		await shop.db
			.updateTable("orders")
			.set({ newsletter: true, tracking_number: "6A012", idempotency_key: crypto.randomUUID(), terms_sha256: "0".repeat(64) })
			.where("id", "=", first.id)
			.execute();
		return { ...bought, extract };
	};

	test("keeps customer, terms, confirmation and invoices, and nothing else; a request for erasure says so, also a second time", async () => {
		const { first, orders, extract } = await insert();
		const numbers = orders.map(({ order_number }) => order_number);
		for (let time = 1; time <= 2; time++)
			expect((await erasePerson(shop, email)).orders, `time ${time}`).toEqual({
				...{ erased: [], deleted: [], archived: numbers, unfinished: [], delivery: [] },
			});
		const row = await shop.getOrder(first.id);
		expect(row).toMatchObject({
			customer_email: email,
			last_name: "Lovelace",
			reference: "dossier Lovelace",
			terms_sha256: "0".repeat(64),
		});
		expect(row).toMatchObject({ phone: null, newsletter: false, tracking_number: null, idempotency_key: null, request_hash: "" });
		const data = await exportPerson(shop, email);
		expect(data.orders.find(({ id }) => id === first.id)?.sent_emails).toEqual([
			expect.objectContaining({ kind: "confirmation", recipient: email, text: `À ${email}` }),
		]);
		expect(data.orders.map(({ shares }) => shares.length)).toEqual([0, 0, 0]);
		expect(data.invoices).toHaveLength(2);
		expect(existsSync(join(shop.folder, extract.storage_path))).toBe(false);
		expect(JSON.stringify(data)).not.toContain("x@y.fr");
		expect(await listOpenings(shop.db, extract.id)).toEqual([]);
	});

	test("is still in the customer's space", async () => {
		const { total } = await listPurchases(shop.db, email, { search: "", year: null }, { limit: 10, offset: 0 });
		expect(total).toBe(1);
	});

	test("is copied anew, without what went; its erasure leaves no copy", async () => {
		const { orders } = await insert();
		const ids = orders.map(({ id }) => id);
		const countCopies = async () =>
			(await shop.db.selectFrom("order_copies").select("order_id").where("order_id", "in", ids).execute()).length;
		const readCopies = async () => {
			await copyChangedOrders(shop);
			const copies = [];
			for (const { id } of orders) {
				const read = await readCopy(shop, id);
				if (read.ok) copies.push({ phone: read.copy.orders[0]?.phone, sessions: read.copy.payment_sessions.length });
			}
			return copies;
		};
		const phone = "06 12 34 56 78";
		expect(await readCopies()).toEqual([
			{ phone, sessions: 1 },
			{ phone, sessions: 0 },
			{ phone, sessions: 0 },
		]);
		expect((await eraseOrders(shop, [ids[0] ?? ""])).archived.sort()).toEqual(ids.sort());
		expect(await readCopies()).toEqual(Array.from({ length: 3 }, () => ({ phone: null, sessions: 0 })));
		// a later change is copied too
		await shop.inTransaction((trx) => requestCopies(trx, ids));
		expect(await readCopies()).toHaveLength(3);
		expect(await countCopies()).toBe(3);
		const later = { ...shop, now: () => new Date(yearsAgo(-10).getTime() + 1) };
		expect((await eraseOrders(later, ids)).erased.sort()).toEqual(ids.sort());
		expect(await countCopies()).toBe(0);
	});
});
