import { afterAll, beforeAll, expect, test } from "vitest";
import { createFinishedPurchases } from "../../../test/fixtures/finished-purchases.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import type { Order } from "../../orders/order.ts";
import { deleteErasedOrders, eraseOrders } from "./erase-orders.server.ts";
import { erasePerson } from "./erase-person.server.ts";
import { exportPerson } from "./export-person.server.ts";
import { readOrderFile } from "./order-file.server.ts";
import { purge } from "./purge.server.ts";
import { countOrdersOfPurchases, listOrdersToErase } from "./retention.store.server.ts";

// The orders of a purchase share payment, sessions and invoice, so they are erased and deleted together.

let shop: OrderFixture;
let insertFinishedPurchase: ReturnType<typeof createFinishedPurchases>;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T10:00:00Z" });
	insertFinishedPurchase = createFinishedPurchases(shop);
});
afterAll(() => shop?.close());

const findErasedAt = async (orders: Order[]) =>
	(await shop.db.selectFrom("orders").select("erased_at").where("id", "in", toIds(orders)).execute()).map(({ erased_at }) => erased_at);
const toIds = (orders: Order[]) => orders.map(({ id }) => id);
const sorted = (orders: Order[]) => toIds(orders).sort();

test("a purchase is erased once all of its orders are finished, whichever of them is named", async () => {
	const { first, second } = await insertFinishedPurchase(shop.now());
	const setStatus = (status: "processing" | "completed") =>
		shop.db.updateTable("orders").set({ status }).where("id", "=", second.id).execute();
	await setStatus("processing");
	expect(await eraseOrders(shop, [first.id])).toMatchObject({ erased: [], unfinished: sorted([first, second]) });
	expect(await findErasedAt([first, second])).toEqual([null, null]);
	await setStatus("completed");
	expect(await eraseOrders(shop, [second.id])).toMatchObject({ erased: sorted([first, second]), deleted: [], unfinished: [] });
	expect(await findErasedAt([first, second])).toEqual([shop.now(), shop.now()]);
	expect(await shop.getOrder(second.id)).toMatchObject({ last_name: "", reference: null, price_cents: second.price_cents });
});

test("a purchase whose invoice has no PDF yet is unfinished in all its orders", async () => {
	const { first, second } = await insertFinishedPurchase(shop.now(), { hasPdf: false });
	expect(await eraseOrders(shop, [second.id])).toMatchObject({ erased: [], unfinished: sorted([first, second]) });
});

test("a purchase with a locked order is skipped, and erased by the next run", async () => {
	const { first, second } = await insertFinishedPurchase(shop.now());
	const erase = () => eraseOrders(shop, [first.id, second.id], { skipLocked: true });
	expect(await shop.whileLocked(second, {}, erase)).toMatchObject({ erased: [], unfinished: [] });
	expect(await erase()).toMatchObject({ erased: sorted([first, second]) });
});

test("a purchase whose file cannot be deleted stays unchanged in all its orders", async () => {
	const { first, second } = await insertFinishedPurchase(shop.now());
	const { storage_path } = await shop.insertDocument(second);
	const remove = (path: string) => (path === storage_path ? Promise.reject(new Error("no")) : shop.storage.remove(path));
	const failing = { ...shop, storage: { ...shop.storage, remove } };
	expect(await eraseOrders(failing, [first.id])).toMatchObject({ erased: [], fault: expect.any(Error) });
	expect(await findErasedAt([first, second])).toEqual([null, null]);
});

test("a purchase that was never paid is deleted whole after thirty days; one with a payment is not", async () => {
	const expired = { status: "failed", failure_reason: "expired", created_at: new Date("2026-10-01T10:00:00Z"), paid_at: null } as const;
	const [unpaid, onHold] = [
		await shop.insertPaidPurchase(["standard", "express"], expired),
		await shop.insertPaidPurchase(["standard", "express"], expired),
	];
	await shop.db.deleteFrom("payments").where("id", "=", unpaid.payment.id).execute();
	await shop.db.updateTable("payments").set({ role: "mismatch" }).where("id", "=", onHold.payment.id).execute();
	expect((await purge(shop)).unpaidOrders).toBe(2);
	expect(await findErasedAt([...unpaid.orders, ...onHold.orders])).toEqual([null, null]);
});

test("the purge counts three years from the last event of the whole purchase, and ten from its last credit note", async () => {
	await purge(shop);
	const { first, second } = await insertFinishedPurchase(new Date("2014-03-01T10:00:00Z"));
	const event = { order_id: second.id, event_type: "mail_sent", created_at: new Date("2024-03-01T10:00:00Z") };
	await shop.db.insertInto("order_events").values(event).execute();
	expect((await purge(shop)).orders).toBe(0);
	await shop.db.deleteFrom("order_events").where("order_id", "=", second.id).execute();
	expect(await purge(shop)).toMatchObject({ orders: 2, accounts: 2 });
	expect(await findErasedAt([first, second])).toEqual([]);

	const credited = await insertFinishedPurchase(new Date("2015-03-01T10:00:00Z"), { creditedAt: new Date("2017-03-01T10:00:00Z") });
	expect(await purge(shop)).toMatchObject({ orders: 2, accounts: 0 });
	expect((await deleteErasedOrders(shop, [credited.second.id])).deleted).toEqual(sorted([credited.first, credited.second]));
	expect(await shop.db.selectFrom("payments").select("id").where("id", "=", credited.payment.id).execute()).toEqual([]);
});

test("a person's export has every order of a purchase, its payment with each, and its invoice once; their erasure names all orders", async () => {
	const email = "ada.purchase@example.fr";
	const { first, second, payment } = await insertFinishedPurchase(shop.now(), { customer_email: email });
	const data = await exportPerson(shop, ` ${email.toUpperCase()}`);
	expect(data.orders.map(({ id }) => id).sort()).toEqual(sorted([first, second]));
	for (const { payments } of data.orders) expect(payments.map(({ id }) => id)).toEqual([payment.id]);
	expect(data.orders.map(({ reference }) => reference)).toEqual(["dossier Lovelace", "dossier Lovelace"]);
	expect(data.invoices.map(({ number }) => number.replace(/-\d+$/, "")).sort()).toEqual(["credit_note", "invoice"]);
	const { orders } = await erasePerson(shop, email);
	expect(orders).toMatchObject({ erased: [first.order_number, second.order_number], unfinished: [] });
});

test("the file of a later order has the purchase's invoice from the first, and none of its other documents", async () => {
	const { first, second } = await insertFinishedPurchase(shop.now());
	await shop.insertDocument(first, "kbis");
	const read = async (order: Order) => {
		const { documents, sharedDocuments } = await readOrderFile(shop.db, order);
		return [documents, sharedDocuments].map((list) => list.map(({ doc_type }) => doc_type).sort());
	};
	expect(await read(first)).toEqual([["invoice", "kbis"], []]);
	expect(await read(second)).toEqual([["credit_note"], ["invoice"]]);
});

test("the purge lists a purchase once, with the number of its orders", async () => {
	const at = new Date("2010-03-01T10:00:00Z");
	const { first, second } = await insertFinishedPurchase(at);
	const page = { after: null, limit: 5000 };
	const listed = await listOrdersToErase(shop.db, { before: new Date("2011-01-01T00:00:00Z"), contractsSince: at }, page);
	expect(listed).toContain(first.id);
	expect(listed).not.toContain(second.id);
	expect(await countOrdersOfPurchases(shop.db, [first.id])).toEqual(new Map([[first.id, 2]]));
	expect((await eraseOrders(shop, [first.id])).erased.sort()).toEqual(sorted([first, second]));
});
