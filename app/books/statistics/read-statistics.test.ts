import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { toJson } from "../../../server/database/column-types.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { seededRandom } from "../../../test/random.ts";
import { isFrenchHoliday } from "../../catalogue/holidays.ts";
import { parseOpeningHours } from "../../catalogue/opening-hours.ts";
import { type ServiceCode, serviceCodes } from "../../catalogue/services.ts";
import type { DayRange } from "../../catalogue/settings/shop-settings.ts";
import type { Order } from "../../orders/order.ts";
import { insertProbes } from "../../web/status/status.store.server.ts";
import type { Month } from "../month.ts";
import { createStatisticsReader, readStatistics } from "./read-statistics.server.ts";

const openingHours = { ...parseOpeningHours("Mo-Fr 08:00-18:00"), isHoliday: isFrenchHoliday };
const minute = 60_000;
const slot = 5 * minute;

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-26T10:00:00Z" });
});
afterAll(() => shop?.close());
afterEach(async () => {
	shop.clock.now = shop.start;
	for (const table of ["refunds", "payments", "orders", "probes", "probe_days"] as const) await shop.db.deleteFrom(table).execute();
});

const read = () => readStatistics({ ...shop, openingHours });
const getMonth = async (month: string) => {
	const found = (await read()).months.find((each) => each.month === month);
	if (!found) throw new Error(`there is no month ${month}`);
	return found;
};

/** Inserts twenty orders of a service that were delivered in time, with some columns changed. */
async function insertTwenty(paid: string, completed: string, values: Partial<Order> = {}, count = 20): Promise<void> {
	for (let i = 0; i < count; i++)
		await shop.insertOrder({
			...{ status: "completed", paid_at: new Date(paid), promised_at: new Date("2027-01-01T00:00:00Z"), completed_at: new Date(completed) },
			...values,
		});
}

describe("as counted from the rows one by one", () => {
	const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Paris", dateStyle: "short", timeStyle: "short" });
	const paris = (at: Date) => clock.format(at);
	const isOpen = (at: Date) => {
		const [day = "", time = ""] = paris(at).split(" ");
		const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
		return weekday > 0 && weekday < 6 && time >= "08:00" && time < "18:00" && !isFrenchHoliday(day);
	};
	/** Opening minutes between two multiples of five minutes. */
	const countOpenMinutes = (from: Date, to: Date) => {
		let minutes = 0;
		for (let at = from.getTime(); at < to.getTime(); at += slot) if (isOpen(new Date(at))) minutes += 5;
		return minutes;
	};
	/** The closings that have passed since the payment, less than those that the first possible day has. */
	const countWorkingDays = (from: Date, to: Date) => {
		let closings = 0;
		for (let at = from.getTime() + slot; at < to.getTime(); at += slot)
			if (isOpen(new Date(at - slot)) && paris(new Date(at)).endsWith("18:00")) closings += 1;
		return closings;
	};
	const interpolate = (sorted: number[], fraction: number) => {
		const at = (sorted.length - 1) * fraction;
		const [low = 0, high = 0] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
		return low + (high - low) * (at - Math.floor(at));
	};
	const pick = (sorted: number[], fraction: number) => sorted[Math.ceil(sorted.length * fraction) - 1] ?? 0;

	test("each month and service has its deliveries, kept promises, times and refunds", async () => {
		const random = seededRandom(20);
		const firstInstant = Date.parse("2026-08-31T20:00:00Z");
		const within = (milliseconds: number) => Math.floor((random.next() * milliseconds) / slot) * slot;
		const orders: Order[] = [];
		for (let i = 0; i < 420; i++) {
			const paid = new Date(firstInstant + within(86 * 86_400_000));
			const promised = new Date(paid.getTime() + within(4 * 86_400_000));
			const completed = new Date(paid.getTime() + within(6 * 86_400_000));
			const kind = random.pick(["delivered", "delivered", "delivered", "delivered", "open", "failed"] as const);
			const isDelivered = kind === "delivered" && completed < shop.now();
			const late_at = completed > promised && promised < shop.now() ? promised : null;
			const { order, payment } = await shop.insertPaidOrder({
				...{ product_code: random.pick(serviceCodes), paid_at: paid, promised_at: promised, late_at },
				...(kind === "failed" ? { status: "failed" } : isDelivered ? { status: "completed", completed_at: completed } : {}),
			});
			orders.push(order);
			const refunded = random.pick([null, null, "late", "cancelled", "withdrawal"] as const);
			const requested_at = new Date(paid.getTime() + within(20 * 86_400_000));
			const status = random.pick(["succeeded", "requested", "failed"] as const);
			if (refunded) await shop.insertRefund(payment, { reason: refunded, status, requested_at });
		}
		const refunds = await shop.db.selectFrom("refunds").selectAll().execute();
		const { months } = await read();
		expect(months).toHaveLength(13);
		let compared = 0;
		for (const month of ["2026-09", "2026-10", "2026-11"])
			for (const code of serviceCodes) {
				const published = months.find((each) => each.month === month)?.services[code];
				const own = orders.filter(({ product_code, paid_at }) => product_code === code && paid_at && paris(paid_at).startsWith(month));
				const delivered = own.filter(({ status }) => status === "completed");
				const due = own.filter(
					(order) => order.status === "completed" || (order.status === "processing" && (order.promised_at ?? 0) <= shop.now()),
				);
				const kept = delivered.filter(({ late_at }) => late_at === null);
				const times = delivered
					.map(({ paid_at, completed_at }) =>
						(code === "postal" ? countWorkingDays : countOpenMinutes)(paid_at as Date, completed_at as Date),
					)
					.sort((a, b) => a - b);
				const percentile = code === "postal" ? pick : interpolate;
				if (delivered.length < 20) expect(published).toMatchObject({ delivered: "few", kept: "few", share: null, median: null, p95: null });
				else {
					compared += 1;
					expect(published, `${month} ${code}`).toMatchObject({
						delivered: delivered.length,
						kept: kept.length < 20 ? "few" : kept.length,
						share: kept.length < 20 ? null : Math.floor((kept.length * 1000) / due.length) / 10,
						median: expect.closeTo(percentile(times, 0.5), 6),
						p95: expect.closeTo(percentile(times, 0.95), 6),
					});
				}
				const count = (reason: string) =>
					refunds.filter(
						(refund) =>
							refund.reason === reason &&
							refund.status !== "failed" &&
							paris(refund.requested_at).startsWith(month) &&
							orders.find(({ id }) => id === refund.order_id)?.product_code === code,
					).length;
				const few = (number: number) => (number < 20 ? "few" : number);
				expect(published?.refunds, `${month} ${code}`).toMatchObject({
					late: few(count("late")),
					motives: { cancelled: few(count("cancelled")), withdrawal: few(count("withdrawal")) },
				});
			}
		expect(compared).toBeGreaterThan(4);
	});
});

test("orders of which none is delivered have no time", async () => {
	await insertTwenty("2026-10-06T08:00:00Z", "2026-10-06T09:12:00Z", { status: "processing", completed_at: null });
	expect((await getMonth("2026-10")).services.express).toMatchObject({ delivered: "few", share: null, median: null, p95: null });
});

test("nineteen deliveries are few, twenty are published", async () => {
	await insertTwenty("2026-10-06T08:00:00Z", "2026-10-06T09:12:00Z", {}, 19);
	expect((await getMonth("2026-10")).services.express.delivered).toBe("few");
	await insertTwenty("2026-10-06T08:00:00Z", "2026-10-06T09:12:00Z", {}, 1);
	expect((await getMonth("2026-10")).services.express).toMatchObject({ delivered: 20, kept: 20, share: 100, median: 72, p95: 72 });
});

test("a month begins at midnight in Paris, twelve finished ones are published, and the current one is marked", async () => {
	await insertTwenty("2025-10-31T23:00:00Z", "2025-11-03T09:00:00Z");
	await insertTwenty("2026-10-31T22:59:00Z", "2026-11-02T09:00:00Z");
	await insertTwenty("2026-10-31T23:00:00Z", "2026-11-02T09:00:00Z");
	await insertTwenty("2025-10-31T22:59:59Z", "2025-11-03T09:00:00Z");
	const { months } = await read();
	expect(months.map(({ month, services }) => [month, services.express.delivered]).filter(([, delivered]) => delivered !== "few")).toEqual([
		["2025-11", 20],
		["2026-10", 20],
		["2026-11", 20],
	]);
	expect(months.map(({ isCurrent }) => isCurrent)).toEqual([...Array.from({ length: 12 }, () => false), true]);
});

test("nights, weekends and holidays stop the clock of e-mails, and so does a day off that was in force", async () => {
	const friday = ["2026-10-09T15:00:00Z", "2026-10-13T07:30:00Z"] as const; // 17 h, and Tuesday 9 h 30
	await insertTwenty(...friday);
	expect((await getMonth("2026-10")).services.express.median).toBe(60 + 600 + 90);
	const change = (after: DayRange[], changed_at: string) =>
		shop.db
			.insertInto("shop_setting_changes")
			.values({ name: "daysOff", before: toJson([]), after: toJson(after), changed_by: "Ada", changed_at: new Date(changed_at) })
			.execute();
	await change([{ from: "2026-10-12", to: "2026-10-12" }], "2026-10-01T08:00:00Z");
	// later changes leave past days out, or name them too late
	await change([{ from: "2026-10-13", to: "2026-10-13" }], "2026-10-14T08:00:00Z");
	await change([], "2026-10-20T08:00:00Z");
	expect((await getMonth("2026-10")).services.express.median).toBe(60 + 90);
});

test.each([
	["2026-10-05T07:00:00Z", "2026-10-05T15:00:00Z", 0],
	["2026-10-05T07:00:00Z", "2026-10-07T16:00:00Z", 2], // at its closing
	["2026-10-05T07:00:00Z", "2026-10-07T16:00:01Z", 3],
	["2026-10-05T16:00:00Z", "2026-10-06T10:00:00Z", 0], // paid at the closing
	["2026-10-02T10:00:00Z", "2026-10-05T10:00:00Z", 1], // over a weekend
	["2026-10-03T10:00:00Z", "2026-10-05T10:00:00Z", 0],
])("a letter paid at %s and posted at %s took %i working days", async (paid, posted, days) => {
	await insertTwenty(paid, posted, { product_code: "postal" });
	expect((await getMonth("2026-10")).services.postal).toMatchObject({ median: days, p95: days });
});

test("a payment in another mode pays no order: neither the order nor its refund counts", async () => {
	await insertTwenty("2026-10-06T08:00:00Z", "2026-10-06T09:00:00Z");
	for (let i = 0; i < 20; i++) {
		const order = await shop.insertOrder({ created_at: new Date("2026-10-06T08:00:00Z"), set_aside_at: new Date("2026-10-06T08:00:00Z") });
		const payment = await shop.insertPayment(order, { role: "mismatch" });
		await shop.insertRefund(payment, { reason: "dashboard", requested_at: new Date("2026-10-07T08:00:00Z") });
	}
	expect((await getMonth("2026-10")).services.express).toMatchObject({ delivered: 20, refunds: { other: "few" } });
});

test("an operator's cause says more than the reason of a refund", async () => {
	for (let i = 0; i < 20; i++) {
		const { payment } = await shop.insertPaidOrder({ product_code: "standard" });
		await shop.insertRefund(payment, { cause: "wrong-extract", requested_at: new Date("2026-10-07T08:00:00Z") });
		await shop.insertRefund(payment, { cause: "late", amount_cents: 1, requested_at: new Date("2026-10-07T08:00:00Z") });
	}
	expect((await getMonth("2026-10")).services.standard.refunds).toMatchObject({ late: 20, other: "withheld", motives: { wrong: 20 } });
});

test("refunds count from the first midnight of the first month on", async () => {
	const countLate = async () => (await read()).months[0]?.services.express.refunds.late;
	const insert = async (requested: string, count: number) => {
		for (let i = 0; i < count; i++) {
			const { payment } = await shop.insertPaidOrder();
			await shop.insertRefund(payment, { reason: "late", requested_at: new Date(requested) });
		}
	};
	await insert("2025-10-31T22:59:59Z", 1);
	await insert("2025-10-31T23:00:00Z", 19);
	expect(await countLate()).toBe("few");
	await insert("2025-10-31T23:00:00Z", 1);
	expect(await countLate()).toBe(20);
});

test("the availability has the stored days of each month", async () => {
	const measure = (at: string, ok: boolean) => {
		const probe = { ok, ms: 1 };
		const probes = { database: probe, search: { ok: true, ms: 1 }, payment: probe, jobs: probe, storage: probe, mail: probe };
		return insertProbes(shop.db, new Date(at), probes);
	};
	await measure("2026-10-30T10:00:00Z", true);
	await measure("2026-10-30T10:05:00Z", false);
	await measure("2026-11-26T09:55:00Z", true);
	const [october, november] = [await getMonth("2026-10"), await getMonth("2026-11")];
	expect(october.availability).toMatchObject({
		firstDay: "2026-10-30",
		parts: { database: { checks: 2, failed: 1 }, search: { checks: 2, failed: 0 } },
	});
	expect(november.availability).toMatchObject({
		firstDay: "2026-11-01",
		parts: { database: { checks: 1, failed: 0 } },
	});
	expect((await getMonth("2026-09")).availability).toBeNull();
});

describe("the reader", () => {
	const countExpress = (months: readonly { month: Month; services: Record<ServiceCode, { delivered: unknown }> }[] | undefined) =>
		months?.find(({ month }) => month === "2026-10")?.services.express.delivered;

	test("keeps the figures for five minutes; a quote does not wait for the next ones", async () => {
		const reader = createStatisticsReader({ ...shop, openingHours });
		// a quote waits for the first ones, but not for longer than 0.3 s
		await vi.waitFor(async () => expect(countExpress((await reader.readForQuote())?.months)).toBe("few"));
		await insertTwenty("2026-10-06T08:00:00Z", "2026-10-06T09:00:00Z");
		shop.clock.now = shop.after(299_000);
		expect(countExpress((await reader.read()).months)).toBe("few");
		shop.clock.now = shop.after(300_000);
		expect(countExpress((await reader.readForQuote())?.months)).toBe("few");
		expect(countExpress((await reader.read()).months)).toBe(20);
		expect(countExpress((await reader.readForQuote())?.months)).toBe(20);
	});

	test("gives a quote no figures when the database fails, and logs it", async () => {
		const failing = { ...shop, db: undefined as never, openingHours };
		const reader = createStatisticsReader(failing);
		expect(await reader.readForQuote()).toBeNull();
		await expect(reader.read()).rejects.toThrow();
		expect(shop.lines.at(-1)).toMatchObject({
			error: expect.stringContaining("TypeError"),
			msg: "the figures of the shop could not be read",
		});
	});

	test("gives a quote no figures while the first ones take long, and reads them once", async () => {
		const reader = createStatisticsReader({ ...shop, openingHours });
		await shop.db.transaction().execute(async (trx) => {
			await sql`lock table shop_setting_changes`.execute(trx);
			expect(await reader.readForQuote()).toBeNull();
		});
		const [first, second] = await Promise.all([reader.read(), reader.read()]);
		expect(second).toBe(first);
	});
});
