import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import { setPace } from "../../catalogue/settings/change-settings.server.ts";
import { readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import { readDesk } from "./read-desk.server.ts";

const minute = 60_000;
const ada = { id: null, name: "Ada Lovelace" };

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" }); // a Monday, 10 h in Paris
});
afterAll(() => shop?.close());
beforeEach(async () => {
	shop.clock.now = shop.start;
	await setPace(shop, ada, 12);
});
afterEach(async () => {
	await shop.db.deleteFrom("extract_requests").execute();
	await shop.db.updateTable("orders").set({ status: "failed" }).execute();
});

const inMinutes = (minutes: number) => shop.after(minutes * minute);
const waiting = async (minutes: number, values: OrderValues = {}) =>
	(await shop.insertPaidOrder({ promised_at: inMinutes(minutes), ...values })).order;
const read = async () => readDesk(shop.db, { ...shop, settings: await readSettings(shop.db), now: shop.now() });

/** Inserts a request that was answered so many minutes ago. */
const answered = async (minutesAgo: number, column: "uploaded_at" | "not_found_at" = "uploaded_at") => {
	const { order } = await shop.insertPaidOrder({ status: "completed" });
	const file = column === "uploaded_at" ? { storage_path: `extracts/${order.id}` } : {};
	const request = { order_id: order.id, requested_at: shop.start, [column]: inMinutes(-minutesAgo), ...file };
	await shop.db.insertInto("extract_requests").values(request).execute();
};

describe("what waits", () => {
	test("is counted by the minute of its promise, lines of lists apart", async () => {
		await waiting(30);
		await waiting(30.5);
		await waiting(90);
		const promised_at = inMinutes(90);
		await shop.insertPaidPurchase(Array(5).fill("standard"), { promised_at });
		await shop.insertPaidPurchase(Array(6).fill("express"), { promised_at });
		await waiting(10, { status: "completed" });
		expect((await read())?.load).toEqual([
			{ at: inMinutes(30), singles: 2, lists: 0 },
			{ at: inMinutes(90), singles: 6, lists: 6 },
		]);
	});

	test("is due an hour earlier when it is posted", async () => {
		await waiting(480, { product_code: "postal" });
		expect((await read())?.load).toEqual([{ at: inMinutes(420), singles: 1, lists: 0 }]);
	});
});

describe("the pace", () => {
	const pace = async () => {
		const desk = await read();
		return desk && { pace: desk.pace, isMeasured: desk.isMeasured };
	};

	test("is what was handed in or reported missing within an hour, while work waited", async () => {
		await waiting(10, { paid_at: inMinutes(-60) });
		for (const minutesAgo of [0, 30, 59, 60, 61]) await answered(minutesAgo);
		await answered(59, "not_found_at");
		await answered(61, "not_found_at");
		expect(await pace()).toEqual({ pace: 4, isMeasured: true });
	});

	test("is the one that is set while nothing waited that long", async () => {
		await waiting(10, { paid_at: inMinutes(-59) });
		await answered(30);
		expect(await pace()).toEqual({ pace: 12, isMeasured: false });
	});

	test("is the one that is set while nothing was served", async () => {
		await waiting(10, { paid_at: inMinutes(-60) });
		expect(await pace()).toEqual({ pace: 12, isMeasured: false });
	});

	test.each([
		["within an hour of the opening", "2026-11-23T07:59:00Z", false],
		["an hour after the opening", "2026-11-23T08:00:00Z", true],
		["at the closing", "2026-11-23T17:00:00Z", true],
		["after the closing", "2026-11-23T17:01:00Z", false],
	])("is measured in opening hours only: %s", async (_, time, isMeasured) => {
		await waiting(10, { paid_at: new Date("2026-11-20T09:00:00Z") });
		shop.clock.now = new Date(time);
		const { order } = await shop.insertPaidOrder({ status: "completed" });
		const request = { order_id: order.id, requested_at: shop.start, uploaded_at: new Date(time), storage_path: "extracts/a" };
		await shop.db.insertInto("extract_requests").values(request).execute();
		expect(await pace()).toEqual({ pace: isMeasured ? 1 : 12, isMeasured });
	});

	test("is unknown without a setting and without a measure", async () => {
		await setPace(shop, ada, null);
		expect(await pace()).toBeNull();
	});
});
