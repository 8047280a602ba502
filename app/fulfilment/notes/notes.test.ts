import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { addNote, maxNoteLength } from "./add-note.server.ts";
import { deleteNotes, listNotes } from "./notes.store.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-21T11:00:00Z" });
});
afterAll(() => shop?.close());

const note = (orderId: string, text: string) => addNote(shop, { orderId, operator: "camille", text });

test("a note is kept with its operator and its instant, and goes with the customer", async () => {
	const { order } = await shop.insertPaidOrder();
	expect(await note(order.id, " Le greffe rappelle à 11 h. ")).toEqual({ ok: true });
	expect(await listNotes(shop.db, order.id)).toMatchObject([
		{ operator: "camille", text: "Le greffe rappelle à 11 h.", created_at: shop.now() },
	]);
	await shop.inTransaction((trx) => deleteNotes(trx, [order.id]));
	expect(await listNotes(shop.db, order.id)).toEqual([]);
});

test("the notes of an order are its own, the oldest first", async () => {
	const [{ order }, { order: other }] = [await shop.insertPaidOrder(), await shop.insertPaidOrder()];
	for (const [minutes, text] of [
		[2, "later"],
		[1, "earlier"],
	] as const) {
		shop.clock.now = shop.after(minutes * 60_000);
		await note(order.id, text);
	}
	await note(other.id, "x".repeat(maxNoteLength));
	expect((await listNotes(shop.db, order.id)).map(({ text }) => text)).toEqual(["earlier", "later"]);
	await shop.inTransaction((trx) => deleteNotes(trx, [order.id]));
	expect(await listNotes(shop.db, other.id)).toHaveLength(1);
});

test("notes of one instant always come in the same order", async () => {
	const { order } = await shop.insertPaidOrder();
	await Promise.all(["a", "b", "c", "d", "e"].map((text) => note(order.id, text)));
	const ids = (await listNotes(shop.db, order.id)).map(({ id }) => id);
	expect(ids).toEqual(ids.toSorted());
});

test("an empty or too long note is refused, and one of an order that is gone or erased", async () => {
	const { order } = await shop.insertPaidOrder();
	const erased = await shop.insertOrder({ erased_at: shop.now() });
	expect(await note(order.id, "  ")).toMatchObject({ code: "empty-note" });
	expect(await note(order.id, "x".repeat(maxNoteLength + 1))).toMatchObject({ code: "too-long" });
	expect(await note(erased.id, "?")).toMatchObject({ code: "erased" });
	expect(await note(randomUUID(), "?")).toMatchObject({ code: "unknown-order" });
});
