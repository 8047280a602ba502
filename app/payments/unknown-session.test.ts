import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { findRecordedSession } from "./payments.store.server.ts";
import { sessionLogName } from "./session-log-name.server.ts";
import { sweepPayments } from "./sweep-payments.server.ts";
import { syncSession } from "./sync-session.server.ts";

/** What happens to an order whose session the provider no longer knows. */

const start = new Date("2026-11-20T10:00:00Z");
const hour = 3_600_000;
let at = start;
const written: string[] = [];
let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop({ now: () => at, onLog: (line) => written.push(line) });
});
afterAll(() => shop?.close());

/** An order placed at ten o'clock, whose session the provider has lost since. */
async function placeWithLostSession() {
	at = start;
	const placed = await shop.placeOrder();
	await shop.shop.db.deleteFrom("sandbox.sessions").where("id", "=", placed.sessionId).execute();
	return placed;
}
const getStatus = async (sessionId: string) => (await findRecordedSession(shop.shop.db, sessionId))?.status;

test("an unknown session stays open while it could be paid, in case the key is wrong; once it has expired, it is closed and its order expires", async () => {
	const placed = await placeWithLostSession();
	at = new Date(start.getTime() + 2 * hour);
	await sweepPayments(shop.shop);
	expect([await getStatus(placed.sessionId), (await shop.orderRow(placed.id)).status]).toEqual(["open", "pending"]);
	at = new Date(start.getTime() + 25 * hour);
	await sweepPayments(shop.shop);
	expect(await getStatus(placed.sessionId)).toBe("expired");
	expect(await shop.orderRow(placed.id)).toMatchObject({ status: "failed", failure_reason: "expired" });
	const history = await shop.getEventTypes(placed.id);
	expect(await syncSession(shop.shop, placed.sessionId, null)).toEqual({ ok: true });
	expect(await shop.getEventTypes(placed.id)).toEqual(history);
});

test("each log line says what happened to the order, and names the session by its hash", async () => {
	const placed = await placeWithLostSession();
	written.length = 0;
	for (const hours of [2, 25]) {
		at = new Date(start.getTime() + hours * hour);
		await syncSession(shop.shop, placed.sessionId, null);
	}
	await syncSession(shop.shop, "cs_test_nobody", null);
	const session = sessionLogName(placed.sessionId);
	expect(written.map((line) => JSON.parse(line)).filter((line) => "session" in line)).toMatchObject([
		{ session, order: placed.id, msg: "the provider does not know the session of an order: nothing changes" },
		{ session, order: placed.id, msg: "the provider does not know the session of an order: it expires" },
		{ session: sessionLogName("cs_test_nobody"), msg: "a payment session names no order of ours" },
	]);
	for (const id of [placed.sessionId, "cs_test_nobody"]) expect(written.join("")).not.toContain(id);
});
