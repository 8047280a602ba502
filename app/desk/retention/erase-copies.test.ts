import { afterAll, beforeAll, expect, test } from "vitest";
import { insertServedOrder } from "../../../test/fixtures/old-orders.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { copyChangedOrders } from "../../orders/copies/copy-changed-orders.server.ts";
import { getCopyName } from "../../orders/copies/read-copy.server.ts";
import { deleteErasedOrders, eraseOrders } from "./erase-orders.server.ts";

// What is kept of orders outside of the database goes with them.

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T10:00:00Z" });
});
afterAll(() => shop?.close());

const isThere = async (name: string) => (await shop.storage.findObject(name)) !== null;

/** An order that is over, with its copy and the number of its invoice. */
async function served() {
	const { id } = await insertServedOrder(shop, shop.now());
	await copyChangedOrders(shop);
	const { number } = await shop.db.selectFrom("invoices").select("number").where("order_id", "=", id).executeTakeFirstOrThrow();
	expect([await isThere(getCopyName(id)), await isThere(`invoices/${number}`)]).toEqual([true, true]);
	return { id, number: `invoices/${number}` };
}

test("erasure deletes the order's copy; issued numbers stay as long as the invoices", async () => {
	const [one, other] = [await served(), await served()];
	const ordersWithCopy = async () =>
		(await shop.db.selectFrom("order_copies").select("order_id").execute()).map(({ order_id }) => order_id);
	expect((await eraseOrders(shop, [one.id])).erased).toEqual([one.id]);
	expect(await ordersWithCopy()).toEqual([other.id]);
	// a payment that comes too late has nobody's name copied either
	await shop.db.deleteFrom("order_copy_requests").execute();
	await shop.insertPayment(await shop.getOrder(one.id), { role: "surplus" });
	await copyChangedOrders(shop);
	expect([await isThere(getCopyName(one.id)), await isThere(one.number)]).toEqual([false, true]);
	expect([await isThere(getCopyName(other.id)), await isThere(other.number)]).toEqual([true, true]);
	expect((await deleteErasedOrders(shop, [one.id])).deleted).toEqual([one.id]);
	expect([await isThere(one.number), await isThere(other.number)]).toEqual([false, true]);
	expect(await ordersWithCopy()).toEqual([other.id]);
});

test("an order stays unchanged when its copy cannot be deleted", async () => {
	const { id } = await served();
	const failing = {
		...shop.storage,
		remove: (path: string) => (path === getCopyName(id) ? Promise.reject(new Error("no")) : shop.storage.remove(path)),
	};
	expect((await eraseOrders({ ...shop, storage: failing }, [id])).erased).toEqual([]);
	expect((await shop.getOrder(id)).erased_at).toBeNull();
	await shop.storage.remove(getCopyName(id)); // it was gone all the same
	await copyChangedOrders(shop);
	expect(await isThere(getCopyName(id))).toBe(true);
	expect((await eraseOrders(shop, [id])).erased).toEqual([id]);
});

test("an order stays unchanged when an issued number cannot be deleted", async () => {
	const { id, number } = await served();
	await eraseOrders(shop, [id]);
	const failing = {
		...shop.storage,
		remove: (path: string) => (path === number ? Promise.reject(new Error("no")) : shop.storage.remove(path)),
	};
	expect(await deleteErasedOrders({ ...shop, storage: failing }, [id])).toMatchObject({ deleted: [], fault: { message: "no" } });
	expect((await deleteErasedOrders(shop, [id])).deleted).toEqual([id]);
});
