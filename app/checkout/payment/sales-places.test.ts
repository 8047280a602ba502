import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteRows } from "../../../test/delete-rows.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { listPlaces } from "./sales-places.store.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" });
});
afterAll(() => shop?.close());

test("each order of a purchase takes a place of its service, once: paid, or with its payment open", async () => {
	await shop.insertPaidPurchase(["standard", "express", "express"]);
	const listServices = async (but: string | null = null) =>
		(await listPlaces(shop.db, shop.now(), but)).map(({ service }) => service).sort();
	expect(await listServices()).toEqual(["express", "express", "standard"]);
	const { orders, payment } = await shop.insertPaidPurchase(["postal", "express"], { status: "pending", paid_at: null });
	await shop.db.deleteFrom("payments").where("id", "=", payment.id).execute();
	expect(await listServices()).toHaveLength(3);
	const { id: order_id } = orders[0];
	const expires_at = shop.after(3_600_000);
	for (const id of ["cs_one", "cs_two"])
		await shop.db
			.insertInto("payment_sessions")
			.values({ id, order_id, url: "/", status: id === "cs_one" ? "open" : "expired", created_at: shop.now(), expires_at })
			.execute();
	await shop.db.insertInto("payment_attempts").values({ order_id, attempt: 1, created_at: shop.now(), expires_at }).execute();
	expect(await listServices()).toEqual(["express", "express", "express", "postal", "standard"]);
	expect(await listServices(order_id)).toHaveLength(3);
	shop.clock.now = shop.after(10 * 60_000 - 1);
	expect(await listServices()).toHaveLength(5);
	shop.clock.now = shop.after(10 * 60_000);
	expect(await listServices()).toHaveLength(3);
	shop.clock.now = shop.start;
});

const minute = 60_000;
const changeOrder = (id: string, change: { status: "paid" | "failed"; paid_at?: Date }) =>
	shop.db.updateTable("orders").set(change).where("id", "=", id).execute();
const openPage = (order_id: string) =>
	shop.db
		.insertInto("payment_sessions")
		.values({ id: `cs_${order_id}`, order_id, url: "/", status: "open", created_at: shop.start, expires_at: shop.after(60 * minute) })
		.execute();
const openAttempt = (order_id: string, answered_at: Date | null) =>
	shop.db
		.insertInto("payment_attempts")
		.values({ order_id, attempt: 1, created_at: shop.start, expires_at: shop.after(60 * minute), answered_at })
		.execute();

test.each<[string, number, number, (id: string) => Promise<unknown>]>([
	["paid, for an hour", 60, 1, (id) => changeOrder(id, { status: "paid", paid_at: shop.start })],
	["with an open payment page, for ten minutes", 10, minute, openPage],
	["without an answer of the provider, for five minutes", 5, minute, (id) => openAttempt(id, null)],
	["with an answer that is no payment page, never", 0, 0, (id) => openAttempt(id, shop.start)],
	["cancelled with its payment page open, never", 0, 0, async (id) => [await openPage(id), await changeOrder(id, { status: "failed" })]],
])("an order counts: %s", async (_what, minutes, leastLeft, place) => {
	await deleteRows(shop.db, "orders");
	const order = await shop.insertOrder({ status: "pending", paid_at: null });
	await place(order.id);
	/** For how long each place is still taken, so many milliseconds after it was. */
	const listLeft = async (passed: number) => {
		shop.clock.now = shop.after(passed);
		return (await listPlaces(shop.db, shop.now(), null)).map(({ freeAt }) => freeAt.getTime() - shop.now().getTime());
	};
	const end = minutes * minute;
	const counts = minutes > 0;
	expect([await listLeft(0), await listLeft(Math.max(0, end - 1)), await listLeft(end)]).toEqual([
		counts ? [end] : [],
		counts ? [leastLeft] : [],
		[],
	]);
	shop.clock.now = shop.start;
});
