import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { copyOrder } from "../../orders/copies/copy-order.server.ts";
import { copiedTableNames } from "../../orders/copies/order-copies.store.server.ts";

let shop: TestShop;
let ada: TestOperator;
beforeAll(async () => {
	shop = await createTestShop({ variables: { ISSUER: "manual" } });
	ada = await createOperator(shop, "Ada", ["refund"]);
});
afterAll(() => shop?.close());

/** Deletes an order, like the restore of an older database. */
async function loseOrder(id: string): Promise<void> {
	await shop.shop.db.transaction().execute(async (trx) => {
		await sql`set local shop.purging_invoices = 'on'`.execute(trx);
		for (const table of [...copiedTableNames].reverse())
			await sql`delete from ${sql.table(table)} where ${sql.ref(table === "orders" ? "id" : "order_id")} = ${id}`.execute(trx);
		await sql`delete from order_copy_requests`.execute(trx);
	});
}

test("a lost order is recreated from its copy by a form, once, and the trail names it", async () => {
	const order = await shop.placeOrder({ service: "standard" });
	await shop.payByCard(order.payUrl);
	await shop.untilOrderIs("processing", order.id);
	await shop.getMails(order, "confirmation");
	await copyOrder(shop.shop, order.id);
	await loseOrder(order.id);
	const send = async (lost: string) => {
		const answer = await ada.post("/bureau/argent", { act: "recreate-order", key: crypto.randomUUID(), lost });
		return (await answer.text()).replaceAll("\u00a0", " ");
	};
	expect(await send(crypto.randomUUID())).toContain("Il n’y a pas de copie de cette commande.");
	expect(await send(order.id)).toContain(`${order.number} : recréée.`);
	expect(await shop.orderRow(order.id)).toMatchObject({ status: "processing", order_number: order.number });
	expect(await send(order.id)).toContain("rien à faire");
	const log = await shop.shop.db
		.selectFrom("desk_log")
		.select(["outcome", "change"])
		.where("verb", "=", "recreate-order")
		.where("outcome", "=", "done")
		.orderBy("id")
		.execute();
	expect(log.map(({ change }) => change)).toMatchObject(["made", "here"].map((what) => ({ after: { order: order.number, what } })));
});
