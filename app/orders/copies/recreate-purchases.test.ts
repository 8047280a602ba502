import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { placePurchase } from "../../../test/purchases/place-purchase.ts";
import { grantRefund } from "../../../test/refunds.ts";
import { createTestDesk, type TestDesk } from "../../../test/terminal.ts";
import type { Order } from "../order.ts";
import { copyChangedOrders } from "./copy-changed-orders.server.ts";
import { copiedTableNames } from "./order-copies.store.server.ts";
import { getCopyName } from "./read-copy.server.ts";

// After a loss of the database, the orders of a purchase come back from their copies, with all that they share.

const minute = 60_000;

let desk: TestDesk;
let orders: Order[];
beforeAll(async () => {
	desk = await createTestDesk("manual");
});
beforeEach(async () => {
	desk.moveTo(new Date(desk.now().getTime() + 60 * minute));
	orders = await paidPurchase();
});
afterAll(() => desk?.close());

/** A paid purchase of three orders with its invoice; the third one was refunded, and all are copied. */
async function paidPurchase(): Promise<Order[]> {
	const lines = [1, 2, 3].map((line) => ({ service: "express" as const, reference: `dossier ${line}` }));
	const placed = await placePurchase(desk, lines, { email: `${crypto.randomUUID()}@example.fr` });
	await desk.payByCard(placed.payUrl);
	for (const { id } of placed.orders) await desk.untilOrderIs("processing", id);
	const [first, , third] = placed.orders as [Order, Order, Order];
	const toPlaced = ({ id, order_number: number }: Order) => ({ ...placed, id, number });
	await desk.getMails(toPlaced(first), "confirmation");
	await grantRefund(desk.shop, third.id);
	await desk.getMails(toPlaced(third), "refunded");
	await copyChangedOrders(desk.shop);
	return placed.orders;
}

/** Every row of the purchase, without the ids of events, which change when they are restored. */
async function listRows(): Promise<Record<string, unknown[]>> {
	const found: Record<string, unknown[]> = {};
	for (const table of copiedTableNames) {
		const row = table === "order_events" ? sql`to_jsonb(t) - 'id'` : sql`to_jsonb(t)`;
		const { rows } = await sql<{ row: unknown }>`
			select ${row} as row from ${sql.table(table)} t
			where ${sql.ref(table === "orders" ? "id" : "order_id")} = any(${orders.map(({ id }) => id)}::uuid[]) order by ${row}::text`.execute(
			desk.shop.db,
		);
		found[table] = rows.map((each) => each.row);
	}
	return found;
}

/** Deletes rows of orders, like the restore of an older database. */
async function lose(lost: readonly Order[], tables: readonly string[] = [...copiedTableNames].reverse()): Promise<void> {
	const ids = lost.map(({ id }) => id);
	await desk.shop.db.transaction().execute(async (trx) => {
		await sql`set local shop.purging_invoices = 'on'`.execute(trx);
		for (const table of tables)
			await sql`delete from ${sql.table(table)} where ${sql.ref(table === "orders" ? "id" : "order_id")} = any(${ids}::uuid[])`.execute(
				trx,
			);
		await sql`delete from order_copy_requests where order_id = any(${ids}::uuid[])`.execute(trx);
	});
}

async function reconcile(): Promise<string> {
	desk.moveTo(new Date(desk.now().getTime() + 20 * minute));
	return (await desk.orders("reconcile")).text;
}

test("« recreate --all » restores every order, payment, invoice, refund and reference", async () => {
	const before = await listRows();
	expect(before.orders?.map((row) => (row as Order).reference).sort()).toEqual(["dossier 1", "dossier 2", "dossier 3"]);
	expect([before.payments, before.refunds, before.invoices].map((rows) => rows?.length)).toEqual([1, 1, 2]);
	await lose(orders);
	expect((await listRows()).orders).toEqual([]);
	const { ok, text } = await desk.orders("recreate", "--all");
	expect([ok, text]).toEqual([true, expect.stringContaining("Commandes recréées : 3.")]);
	expect(await listRows()).toEqual(before);
	expect(await reconcile()).toContain("Aucune différence.");
});

test("« recreate --all » says which order of a purchase has lost its copy too", async () => {
	const [, second] = orders as [Order, Order, Order];
	const copy = (await desk.shop.storage.findObject(getCopyName(second.id))) ?? expect.fail();
	await lose(orders);
	await desk.shop.storage.remove(getCopyName(second.id));
	const { ok, text } = await desk.orders("recreate", "--all");
	expect(ok).toBe(false);
	expect(text).toContain("Commandes recréées : 2.");
	expect(text).toContain(`À voir : 1.\n  ${second.id} : Il n’y a pas de copie de cette commande.`);
	await desk.shop.storage.putObject(getCopyName(second.id), copy);
	expect(await desk.orders("recreate", "--all")).toMatchObject({ ok: true, text: expect.stringContaining("Commandes recréées : 1.") });
});

test("« reconcile » compares all orders of a purchase with their copies before it changes anything", async () => {
	const before = await listRows();
	const third = orders[2] ?? expect.fail();
	// a restore that lost the refund only: the copy of the first order is as the order
	await lose([third], ["mails", "invoices", "refunds", "order_events"]);
	expect(await reconcile()).toMatch(new RegExp(`${orders[0]?.order_number} +montant rendu, à recréer`));
	expect((await listRows()).refunds).toEqual([]);
	await lose([third]);
	expect(await reconcile()).toContain("montant rendu, à recréer");
	const copy = (await desk.shop.storage.findObject(getCopyName(third.id))) ?? expect.fail();
	await desk.shop.storage.remove(getCopyName(third.id));
	expect(await reconcile()).toContain("montant rendu, à recréer");
	await desk.shop.storage.putObject(getCopyName(third.id), copy);
	expect(await desk.orders("recreate", third.id)).toMatchObject({ ok: true });
	expect(await reconcile()).toContain("Aucune différence.");
	expect(await listRows()).toEqual(before);
});
