import { afterAll, beforeAll, expect, test } from "vitest";
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
