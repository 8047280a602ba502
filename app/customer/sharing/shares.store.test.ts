import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { createShare } from "./create-share.server.ts";
import { findShare, insertShare, listShareOpenings, listShares, recordShareOpening, revokeShare } from "./shares.store.server.ts";

// The links to the extracts of two orders: what belongs to one is never read or changed through the other.

let fixture: OrderFixture;
beforeAll(async () => {
	fixture = await createOrderFixture({ startsAt: "2026-11-20T09:00:00Z" });
});
afterAll(() => fixture?.close());

const day = 86_400_000;
const hour = 3_600_000;

/** A completed order with links, made an hour apart. */
async function orderWithLinks(count: number) {
	const { order } = await fixture.insertPaidOrder({ status: "completed", completed_at: fixture.start });
	const { id: documentId } = await fixture.insertDocument(order);
	const ids = Array.from({ length: count }, () => randomUUID());
	const link = { documentId, label: null, sender: null, purpose: null, codeHash: null, expiresAt: fixture.after(30 * day) };
	await fixture.inTransaction(async (trx) => {
		for (const [index, id] of ids.entries()) await insertShare(trx, { ...link, id, now: fixture.after(index * hour) });
	});
	return { order, ids };
}

test("the links of an order are its own, the newest first", async () => {
	const [one, other] = [await orderWithLinks(2), await orderWithLinks(1)];
	const list = async ({ id }: { id: string }) => (await listShares(fixture.db, id)).map((share) => share.id);
	expect(await list(one.order)).toEqual(one.ids.toReversed());
	expect(await list(other.order)).toEqual(other.ids);
});

test("the days on which the links of an order were opened are its own, the oldest first", async () => {
	const [one, other] = [await orderWithLinks(1), await orderWithLinks(1)];
	const open = (id: string | undefined, days: number) => recordShareOpening(fixture.db, id ?? "", "opened", fixture.after(days * day));
	for (const days of [2, 0, 1, 1]) await open(one.ids[0], days);
	await open(other.ids[0], 3);
	const list = async ({ id }: { id: string }) =>
		(await listShareOpenings(fixture.db, id)).map(({ share_id, first_at, count }) => [share_id, first_at, count]);
	expect(await list(one.order)).toEqual([
		[one.ids[0], fixture.after(0), 1],
		[one.ids[0], fixture.after(day), 2],
		[one.ids[0], fixture.after(2 * day), 1],
	]);
	expect(await list(other.order)).toEqual([[other.ids[0], fixture.after(3 * day), 1]]);
});

test("a link is revoked through its own order, and keeps the first date", async () => {
	const [one, other] = [await orderWithLinks(2), await orderWithLinks(1)];
	const [id = "", kept = ""] = one.ids;
	const revoke = (orderId: string, days: number) => revokeShare(fixture.db, { id, orderId, now: fixture.after(days * day) });
	const readDates = async () => Promise.all([id, kept].map(async (each) => (await findShare(fixture.db, each))?.revoked_at));
	await revoke(other.order.id, 1);
	expect(await readDates()).toEqual([null, null]);
	await revoke(one.order.id, 2);
	await revoke(one.order.id, 3);
	expect(await readDates()).toEqual([fixture.after(2 * day), null]);
});

test("a new link is logged without its passcode and what the customer wrote", async () => {
	const { order } = await orderWithLinks(0);
	const made = await createShare(fixture, order, "purchase", {
		label: "Banque Martin",
		sender: "Ada Lovelace",
		purpose: "Ouverture de compte",
		days: "30",
		code: "Bleu 42",
	});
	expect(made.ok).toBe(true);
	expect(fixture.lines.filter(({ order: logged }) => logged === order.id)).toEqual([
		expect.objectContaining({ msg: "a document is shared", share: made.ok && made.id, days: 30, withCode: true }),
	]);
	expect(JSON.stringify(fixture.lines)).not.toMatch(/Martin|Lovelace|Ouverture|Bleu/);
});
