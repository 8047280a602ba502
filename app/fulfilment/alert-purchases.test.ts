import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { listKindsTo } from "../emails/order-emails.server.ts";
import { checkPromise } from "./check-promise.server.ts";
import { fulfilOrder } from "./fulfil-order.server.ts";
import { manualIssuer } from "./issuers/manual-issuer.server.ts";

const alertKinds: readonly string[] = listKindsTo("operator");

// The operator gets one e-mail about a purchase where its orders would each cause one.

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" });
});
afterAll(() => shop?.close());

const listMails = async (orders: { id: string }[]) => Promise.all(orders.map((order) => shop.getMailKinds(order)));

test("without a desk, a purchase that waits for its extracts is announced once", async () => {
	const issuer = manualIssuer({ db: shop.db, read: shop.storage.get, now: shop.now });
	const { orders } = await shop.insertPaidPurchase(["standard", "express", "express"], { status: "paid" });
	for (const { id } of orders) await fulfilOrder({ ...shop, issuer }, id);
	expect(await listMails(orders)).toEqual([["alert-extract-needed"], [], []]);
});

test("the orders of a purchase that miss one deadline are announced once, those of another deadline by themselves", async () => {
	const promisedAt = shop.after(3_600_000);
	const { orders } = await shop.insertPaidPurchase(["express", "express", "standard"], { promised_at: promisedAt });
	const later = shop.after(7_200_000);
	await shop.db
		.updateTable("orders")
		.set({ promised_at: later })
		.where("id", "=", orders[2]?.id ?? "")
		.execute();
	shop.clock.now = new Date(later.getTime() + 1000);
	for (const { id } of orders.toReversed()) await checkPromise(shop, id);
	const alerts = (await listMails(orders)).map((kinds) => kinds.filter((kind) => alertKinds.includes(kind)));
	expect(alerts).toEqual([["alert-late"], [], ["alert-late"]]);
	// the log names each late order
	const logged = shop.lines.filter(({ msg }) => msg === "an order needs the operator").map(({ order }) => order);
	expect(logged).toEqual(expect.arrayContaining(orders.map(({ id }) => id)));
});
