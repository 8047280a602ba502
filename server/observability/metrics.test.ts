import { expect, test, vi } from "vitest";
import { createMetrics, type FigureReaders, mayReadMetrics } from "./metrics.ts";

/** The lines of metrics whose name begins so, without comments. */
async function read(metrics: ReturnType<typeof createMetrics>, start: string): Promise<string[]> {
	return (await metrics.write()).text.split("\n").filter((line) => line.startsWith(start));
}

test("a pool shows its used and idle connections, and who waits for one", async () => {
	const metrics = createMetrics({ withProcessMetrics: false });
	const pool = { totalCount: 7, idleCount: 2, waitingCount: 3 };
	metrics.watchPool("shop", pool);
	metrics.watchPool("jobs", { totalCount: 1, idleCount: 1, waitingCount: 0 });
	const line = (name: string, state: string, value: number) => `shop_database_connections{pool="${name}",state="${state}"} ${value}`;
	expect(await read(metrics, "shop_database_connections")).toEqual([
		...[line("shop", "used", 5), line("shop", "idle", 2), line("shop", "waiting", 3)],
		...[line("jobs", "used", 0), line("jobs", "idle", 1), line("jobs", "waiting", 0)],
	]);
	pool.idleCount = 7;
	expect(await read(metrics, 'shop_database_connections{pool="shop",state="used"}')).toEqual([line("shop", "used", 0)]);
});

test("live streams are counted when the metrics are read", async () => {
	const metrics = createMetrics({ withProcessMetrics: false });
	let streams = 2;
	metrics.watchLiveStreams(() => streams);
	expect(await read(metrics, "shop_live_streams")).toEqual(["shop_live_streams 2"]);
	streams = 0;
	expect(await read(metrics, "shop_live_streams")).toEqual(["shop_live_streams 0"]);
});

test("the clock is compared when the metrics are read, and absent while nobody knows it", async () => {
	const metrics = createMetrics({ withProcessMetrics: false });
	let ahead: number | null = null;
	metrics.watchClock(async () => ahead);
	expect(await read(metrics, "shop_clock_ahead_seconds")).toEqual([]);
	ahead = -400_500;
	expect(await read(metrics, "shop_clock_ahead_seconds")).toEqual(["shop_clock_ahead_seconds -400.5"]);
	ahead = null;
	expect(await read(metrics, "shop_clock_ahead_seconds")).toEqual([]);
});

test("requests and calls of partners have their durations, and a failure counts as one", async () => {
	const metrics = createMetrics({ withProcessMetrics: false });
	for (const method of ["GET", "HEAD", "POST", "OPTIONS", "BREW", "get"])
		metrics.observeRequest({ method, route: "/cgv", status: 499, seconds: 0.02 });
	const methods = (await read(metrics, "shop_http_request_duration_seconds_count")).map((line) =>
		/method="(\w+)".* (\d)/.exec(line)?.slice(1),
	);
	expect(methods).toEqual([...["GET", "HEAD", "POST", "OPTIONS"].map((method) => [method, "1"]), ["other", "2"]]);
	expect(await read(metrics, 'shop_http_request_duration_seconds_bucket{le="0.01",method="GET"')).toEqual([
		'shop_http_request_duration_seconds_bucket{le="0.01",method="GET",route="/cgv",status="4xx"} 0',
	]);
	for (const failed of [false, true]) metrics.observePartner({ partner: "stripe", call: "refund", seconds: 1.5, failed });
	metrics.observePartner({ partner: "insee", call: "find", seconds: 1, failed: false });
	expect(await read(metrics, "shop_partner_request_duration_seconds_sum")).toEqual([
		'shop_partner_request_duration_seconds_sum{partner="stripe",call="refund"} 3',
		'shop_partner_request_duration_seconds_sum{partner="insee",call="find"} 1',
	]);
	expect(await read(metrics, "shop_partner_failures_total")).toEqual([
		'shop_partner_failures_total{partner="stripe",call="refund"} 1',
		'shop_partner_failures_total{partner="insee",call="find"} 0',
	]);
	metrics.countRefusal("limited");
	expect(await read(metrics, "shop_refusals_total")).toEqual([
		'shop_refusals_total{kind="refused"} 0',
		'shop_refusals_total{kind="limited"} 1',
		'shop_refusals_total{kind="signature"} 0',
		'shop_refusals_total{kind="metrics"} 0',
	]);
});

test.each([true, false])("memory and processor are measured: %s", async (withProcessMetrics) => {
	const metrics = createMetrics({ withProcessMetrics });
	expect((await read(metrics, "process_resident_memory_bytes ")).length).toBe(withProcessMetrics ? 1 : 0);
	expect((await metrics.write()).contentType).toMatch(/^text\/plain; version=0\.0\.4/);
});

test("figures are read at most every ten seconds; one that is not known is absent, and its failure is logged once", async () => {
	vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
	try {
		const metrics = createMetrics({ withProcessMetrics: false });
		const logged: unknown[] = [];
		let reads = 0;
		let fault: "throws" | "is not finite" | "does not end" | null = null;
		const readers: FigureReaders = {
			async orders() {
				reads++;
				if (fault === "throws") throw new Error("no database");
				if (fault === "does not end") return new Promise(() => {});
				return [
					{ name: "shop_orders", labels: { state: "paid" }, value: fault === "is not finite" ? Number.NaN : 4 },
					{ name: "shop_invoices_without_pdf", value: 2 },
				];
			},
			mails: async () => [{ name: "shop_mails_unsent", value: 1 }],
		};
		metrics.watchFigures(readers, { error: (fields: { figures: string }) => void logged.push(fields.figures) } as never);
		const known = ['shop_orders{state="paid"} 4', "shop_invoices_without_pdf 2"];
		const all = async () =>
			(await metrics.write()).text.split("\n").filter((line) => /^shop_(orders|invoices_w|mails|database_read)/.test(line));
		const success = (orders: number) => [
			`shop_database_read_success{figures="orders"} ${orders}`,
			'shop_database_read_success{figures="mails"} 1',
		];
		expect(await all()).toEqual([known[0], "shop_mails_unsent 1", known[1], ...success(1)]);
		vi.advanceTimersByTime(9999);
		await all();
		expect(reads).toBe(1);
		for (const next of ["throws", "is not finite"] as const) {
			fault = next;
			vi.advanceTimersByTime(10_000);
			expect(await all()).toEqual(["shop_mails_unsent 1", ...success(0)]);
		}
		expect(logged).toEqual(["orders"]);
		fault = null;
		vi.advanceTimersByTime(10_000);
		expect(await all()).toEqual([known[0], "shop_mails_unsent 1", known[1], ...success(1)]);
		fault = "does not end";
		vi.advanceTimersByTime(10_000);
		const waiting = Promise.all([metrics.write(), metrics.write()]);
		await vi.advanceTimersByTimeAsync(8000);
		await waiting;
		// no time was left for the subject after it
		expect(await all()).toEqual(['shop_database_read_success{figures="orders"} 0', 'shop_database_read_success{figures="mails"} 0']);
		expect([logged, reads]).toEqual([["orders", "orders", "mails"], 5]);
	} finally {
		vi.useRealTimers();
	}
});

test.each([
	["Bearer a token", true],
	["a token", false],
	["Bearer another token", false],
	["bearer a token", false],
	["", false],
	[undefined, false],
])("the header %s may read metrics: %s", (authorization, may) => {
	expect(mayReadMetrics("a token", authorization)).toBe(may);
});
