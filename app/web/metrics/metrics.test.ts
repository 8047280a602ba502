import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse as parseYaml } from "yaml";
import { parseEnvironment } from "../../../server/environment/environment.ts";
import {
	maxClockAhead,
	maxCompaniesDays,
	maxFailedRuns,
	maxProbeMinutes,
	maxScheduleAge,
	maxWaitMinutes,
} from "../../../server/health-limits.ts";
import { getQueueFigures } from "../../../server/jobs.ts";
import { startMetricsServer } from "../../../server/metrics-server.ts";
import type { Log } from "../../../server/observability/log.ts";
import {
	createMetrics,
	type Figure,
	type FigureName,
	type FigureReaders,
	type Metrics,
	sharedFigures,
} from "../../../server/observability/metrics.ts";
import { observeCalls } from "../../../server/observability/partner-calls.ts";
import { grantRefund } from "../../../test/refunds.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { cents } from "../../catalogue/money.ts";
import { frequentKinds } from "../../job-kinds.ts";
import { readUnsentMails } from "../../mail/mails.store.server.ts";
import { getLongestWait } from "../../orders/copies/order-copies.store.server.ts";
import type { OrderStatus } from "../../orders/lifecycle.ts";
import { createFigureReaders } from "./read-figures.server.ts";

const token = "0123456789abcdef-of-the-tests-0123456789";
let ahead = 0;
let shop: TestShop;

beforeAll(async () => {
	shop = await createTestShop({ variables: { METRICS_TOKEN: token, ISSUER: "manual" }, now: () => new Date(Date.now() + ahead) });
});
afterAll(() => shop.close());

const scrape = (authorization = `Bearer ${token}`) => shop.ask("/metrics", { headers: authorization === "" ? {} : { authorization } });

/** Parses « name{labels} value » as Prometheus does. */
function parse(text: string): Record<string, number> {
	const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
	return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]));
}
const scrapeAll = async () => parse(await (await scrape()).text());

/** Reads the database's figures now, bypassing the cache of ten seconds. */
async function readFigures(): Promise<Record<string, number>> {
	const metrics = createMetrics({ withProcessMetrics: false });
	metrics.watchFigures(createFigureReaders(shop.shop), shop.shop.log);
	return parse((await metrics.write()).text);
}
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: scaledTimeout(20_000), interval: 50 });

describe("access", () => {
	test("is granted with the token", async () => {
		const answer = await scrape();
		expect([answer.status, answer.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)]);
		expect(answer.headers.get("cache-control")).toBe("no-store");
	});

	test.each(["", "Bearer", `Bearer ${token}x`, `Bearer ${token.slice(1)}`, token, `Basic ${token}`])(
		"is refused with « %s »",
		async (authorization) => {
			const answer = await scrape(authorization);
			expect([answer.status, answer.headers.get("www-authenticate"), await answer.text()]).toEqual([401, "Bearer", ""]);
		},
	);

	test("is refused in a shop without a token", async () => {
		const without = await createTestShop();
		expect((await without.ask("/metrics", { headers: { authorization: `Bearer ${token}` } })).status).toBe(404);
		await without.close();
	});

	test.each([
		[{ METRICS_TOKEN: "short" }, /^METRICS_TOKEN/],
		[{ METRICS_PORT: "9464", HOST: "0.0.0.0" }, /^METRICS_TOKEN is not set/],
		[{ METRICS_PORT: "9464", METRICS_HOST: "0.0.0.0" }, /^METRICS_TOKEN is not set/],
		[{ METRICS_PORT: "9464", HOST: "0.0.0.0", METRICS_HOST: "127.0.0.1" }, null],
		[{ METRICS_PORT: "3000", PORT: "3000" }, /^METRICS_PORT is the same as PORT/],
		[{ METRICS_PORT: "9464" }, null],
		[{ METRICS_PORT: "9464", HOST: "0.0.0.0", METRICS_TOKEN: token }, null],
	])("%j is valid or refused", (variables, problem) => {
		const parsed = parseEnvironment(variables);
		expect(parsed.ok ? [] : parsed.problems).toEqual(problem === null ? [] : [expect.stringMatching(problem)]);
	});

	/** Starts the metrics server and collects its log. */
	async function openPort(settings: { metricsPort: number | undefined; metricsToken?: string; metricsHost?: string }, metrics: Metrics) {
		const lines: object[] = [];
		const log = { error: (fields: object) => void lines.push(fields) } as unknown as Log;
		const server = await startMetricsServer({ metricsHost: "127.0.0.1", metricsToken: undefined, ...settings }, metrics, log);
		const port = server && (server.address() as AddressInfo).port;
		const ask = async (path = "/metrics", authorization = "") =>
			(await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } })).status;
		return { server, port, ask, lines };
	}

	test("a separate port requires the token if there is one, and serves nothing else", async () => {
		const metrics = createMetrics({ withProcessMetrics: false });
		const open = await openPort({ metricsPort: 0 }, metrics);
		expect([await open.ask(), await open.ask("/")]).toEqual([200, 404]);
		open.server?.close();
		const closed = await openPort({ metricsPort: 0, metricsToken: token }, metrics);
		expect([await closed.ask(), await closed.ask("/metrics", `Bearer ${token}`)]).toEqual([401, 200]);
		closed.server?.close();
		expect((await openPort({ metricsPort: undefined, metricsToken: token }, metrics)).server).toBeUndefined();
	});

	test("a port that cannot be opened is logged, and the process goes on", async () => {
		const metrics = createMetrics({ withProcessMetrics: false });
		const first = await openPort({ metricsPort: 0 }, metrics);
		const second = await openPort({ metricsPort: first.port }, metrics);
		expect([second.server, second.lines]).toEqual([undefined, [{ host: "127.0.0.1", port: first.port, code: "EADDRINUSE" }]]);
		const elsewhere = await openPort({ metricsPort: 9464, metricsHost: "192.0.2.1" }, metrics);
		expect([elsewhere.server, elsewhere.lines]).toEqual([undefined, [expect.objectContaining({ code: "EADDRNOTAVAIL" })]]);
		first.server?.close();
	});

	test("metrics that cannot be rendered give 500 and a log line, and the process goes on", async () => {
		const metrics = { ...createMetrics({ withProcessMetrics: false }), write: () => Promise.reject(new Error("no text")) };
		const { server, ask, lines } = await openPort({ metricsPort: 0 }, metrics);
		expect([await ask(), await ask()]).toEqual([500, 500]);
		expect(lines).toEqual(Array(2).fill({ error: expect.stringContaining("no text") }));
		server?.close();
	});
});

describe("metrics", () => {
	test("cover requests by route pattern, refusals, partners, connections, memory", async () => {
		await shop.ask("/cgv?email=ada@example.fr");
		await shop.ask("/nulle/part/ada@example.fr");
		await shop.ask("/suivi-commande", { method: "POST", headers: { origin: "https://elsewhere.example" } });
		const text = await (await scrape()).text();
		expect(text).not.toContain("ada@");
		const now = parse(text);
		expect(now['shop_http_request_duration_seconds_count{method="GET",route="/cgv",status="2xx"}']).toBeGreaterThan(0);
		expect(now['shop_http_request_duration_seconds_count{method="GET",route="/*",status="4xx"}']).toBeGreaterThan(0);
		expect(now['shop_refusals_total{kind="refused"}']).toBeGreaterThan(0);
		expect(now['shop_refusals_total{kind="metrics"}']).toBeGreaterThan(0);
		expect(now['shop_database_connections{pool="main",state="waiting"}']).toBe(0);
		expect(now['shop_database_connections{pool="queue",state="idle"}']).toBeGreaterThanOrEqual(0);
		expect(now.process_resident_memory_bytes).toBeGreaterThan(1e7);
		expect(now.nodejs_eventloop_lag_p99_seconds).toBeGreaterThanOrEqual(0);
		expect(now['shop_database_read_success{figures="jobs"}']).toBe(1);
	});

	test("count open live streams", async () => {
		const placed = await shop.placeOrder();
		const reader = new AbortController();
		await shop.ask(`/confirmation/${placed.sessionId}/direct`, { signal: reader.signal });
		expect((await scrapeAll()).shop_live_streams).toBe(1);
		reader.abort();
		await eventually(async () => expect((await scrapeAll()).shop_live_streams).toBe(0));
	});

	test("cover orders by state, promises, refunds, e-mails, the queue", async () => {
		const before = await readFigures();
		expect(before.shop_job_processes).toBe(1);
		const placed = await shop.placeOrder({ service: "express" });
		await shop.payByCard(placed.payUrl);
		const { promised_at } = await shop.untilOrderIs("processing", placed.id);
		await shop.getMails(placed, "confirmation");
		const paid = await readFigures();
		expect(paid['shop_orders{state="processing"}']).toBe((before['shop_orders{state="processing"}'] ?? 0) + 1);
		const left = (promised_at?.getTime() ?? 0) - shop.shop.now().getTime();
		expect(Math.abs((paid['shop_next_promise_seconds{service="express"}'] ?? 0) - left / 1000)).toBeLessThan(30);
		expect(paid['shop_orders_past_promise{service="express"}']).toBe(0);
		expect(paid.shop_invoices_without_pdf).toBe(0);
		expect((await scrapeAll())['shop_partner_request_duration_seconds_count{partner="storage",call="put"}']).toBeGreaterThan(0);

		await grantRefund(shop.shop, placed.id, cents(1050));
		await shop.getMails(placed, "refunded");
		const refunded = async () => (await readFigures())['shop_refunds_last_hour_euros{reason="operator"}'];
		expect(await refunded()).toBe(10.5);
		expect((await readFigures())['shop_refunds_last_hour_euros{reason="late"}']).toBe(0);
		ahead = 61 * 60_000;
		expect(await refunded()).toBe(0);
		ahead = 0;
		const updateRefund = shop.shop.db.updateTable("refunds").where("order_id", "=", placed.id);
		await updateRefund.set({ status: "failed" }).execute();
		expect(await refunded()).toBe(0); // the refund was returned
		await updateRefund.set({ status: "succeeded" }).execute();

		ahead = left + 60_000;
		const late = await readFigures();
		expect(late['shop_orders_past_promise{service="express"}']).toBe(1);
		expect(late['shop_next_promise_seconds{service="express"}']).toBeLessThan(0);
		ahead = 0;
	});

	test("count failed and waiting jobs and unsent e-mails, but no future reminder", async () => {
		const { db, now } = shop.shop;
		const placed = await shop.placeOrder();
		const at = now();
		const mail = (id: string, kind: string, seconds: number) => ({
			id,
			order_id: placed.id,
			kind,
			created_at: new Date(at.getTime() - seconds * 1000),
		});
		const readings = db.transaction().execute(async (trx) => {
			await sql`insert into jobs.job (name, state, start_after) values
				('fulfil-order', 'failed', now()), ('fulfil-order', 'retry', now() - interval '90 seconds'), ('fulfil-order', 'created', now() + interval '1 hour')`.execute(
				trx,
			);
			const before = await readUnsentMails(trx, at);
			await trx
				.insertInto("mails")
				.values([mail("00000000-0000-4000-8000-000000000001", "late", 900), mail("00000000-0000-4000-8000-000000000002", "resume", 300)])
				.execute();
			const [after, queueFigures] = [await readUnsentMails(trx, at), await getQueueFigures(trx)];
			// rolled back, so that nothing is sent
			throw Object.assign(new Error("seen"), { before, after, jobs: queueFigures.filter(({ job }) => job === "fulfil-order") });
		});
		const { before, after, jobs } = await readings.catch((thrown) => thrown);
		expect(after.unsent - before.unsent).toBe(1);
		expect(after.age).toBeCloseTo(900, 0);
		expect(jobs).toEqual([{ job: "fulfil-order", waiting: 1, lag: expect.closeTo(90, 0), failed: 1 }]);
	});

	test("give the longest wait for a copy of an order", async () => {
		const { db, now } = shop.shop;
		const at = now();
		const wait = await db
			.transaction()
			.execute(async (trx) => {
				const before = await getLongestWait(trx, at);
				const since = (seconds: number) => new Date(at.getTime() - seconds * 1000);
				await sql`insert into order_copy_requests (order_id, requested_at)
					values (gen_random_uuid(), ${since(7000)}), (gen_random_uuid(), ${since(9000)})`.execute(trx);
				throw Object.assign(new Error("seen"), { before, after: await getLongestWait(trx, at) });
			})
			.catch((thrown) => thrown);
		expect(wait.before).toBeLessThan(7000);
		expect(wait.after).toBeCloseTo(9000, 0);
		expect((await readFigures()).shop_copies_waiting_age_seconds).toBeLessThan(7000);
	});

	test("count finished orders of the last day, and open orders of any age", async () => {
		const { db, now } = shop.shop;
		const placed = await shop.placeOrder();
		const countAfterUpdate = async (order: { status: OrderStatus; days: number }) => {
			const { status, days } = order;
			const created_at = new Date(now().getTime() - days * 86_400_000);
			await db.updateTable("orders").set({ status, created_at }).where("id", "=", placed.id).execute();
			return (await readFigures())[`shop_orders{state="${status}"}`] ?? 0;
		};
		const before = await countAfterUpdate({ status: "failed", days: 2 });
		expect(await countAfterUpdate({ status: "failed", days: 0 })).toBe(before + 1);
		const processing = await countAfterUpdate({ status: "processing", days: 0 });
		expect(await countAfterUpdate({ status: "processing", days: 9 })).toBe(processing);
		await db.updateTable("orders").set({ promised_at: null }).where("id", "=", placed.id).execute();
		expect((await readFigures())['shop_database_read_success{figures="promises"}']).toBe(1);
		await countAfterUpdate({ status: "failed", days: 0 });
	});

	/** Creates metrics with these readers and collects their log. */
	function createWithReaders(readings: FigureReaders) {
		const metrics = createMetrics({ withProcessMetrics: true });
		const lines: object[] = [];
		metrics.watchFigures(readings, { error: (fields: object) => void lines.push(fields) } as unknown as Log);
		return { metrics, lines, read: async () => parse((await metrics.write()).text) };
	}
	const unsent = (value: number) => async () => [{ name: "shop_mails_unsent" as const, value }];

	test("without the database, only its figures are missing", async () => {
		const { metrics, read } = createWithReaders({
			mails: () => Promise.reject(new Error("unavailable")),
			parts: () => Promise.reject(new Error("unavailable")),
		});
		metrics.observeRequest({ method: "BREW", route: "/cgv", status: 499, seconds: 0.1 });
		const now = await read();
		expect([now['shop_database_read_success{figures="mails"}'], now['shop_database_read_success{figures="parts"}']]).toEqual([0, 0]);
		expect(Object.keys(now)).toEqual(expect.arrayContaining(["process_resident_memory_bytes"]));
		expect(now['shop_http_request_duration_seconds_count{method="other",route="/cgv",status="4xx"}']).toBe(1);
		// an unknown figure is absent, not 0, which would mislead alerts
		for (const name of ["shop_mails_unsent", "shop_job_processes", 'shop_orders{state="paid"}']) expect(now).not.toHaveProperty([name]);
	});

	test.each<[string, () => Promise<Figure[]>]>([
		["whose statement fails", () => Promise.reject(new Error("canceling statement due to statement timeout"))],
		["without a value", async () => [{ name: "shop_job_processes", value: null as unknown as number }]],
		["that are not a number", async () => [{ name: "shop_job_processes", value: Number.NaN }]],
	])("only figures %s are missing, and the log says so", async (_name, jobs) => {
		const { read, lines } = createWithReaders({ jobs, mails: unsent(3) });
		const now = await read();
		expect(now).toMatchObject({ shop_mails_unsent: 3, 'shop_database_read_success{figures="mails"}': 1 });
		expect(now['shop_database_read_success{figures="jobs"}']).toBe(0);
		expect(now).not.toHaveProperty(["shop_job_processes"]);
		expect(lines).toEqual([{ figures: "jobs", error: expect.any(String) }]);
	});

	test("a slow statement costs only the figures of its subject", async () => {
		const { db } = shop.shop;
		const locked = Promise.withResolvers<void>();
		const done = Promise.withResolvers<void>();
		const locking = db.transaction().execute(async (trx) => {
			await sql`lock table invoices in access exclusive mode`.execute(trx);
			locked.resolve();
			await done.promise;
		});
		await locked.promise;
		const now = await readFigures().finally(done.resolve);
		await locking;
		expect(now['shop_database_read_success{figures="invoices"}']).toBe(0);
		expect(now).not.toHaveProperty(["shop_invoices_without_pdf"]);
		expect(now).toMatchObject({ shop_mails_unsent: expect.any(Number), 'shop_orders{state="paid"}': expect.any(Number) });
	});

	test("the database is read once in ten seconds", async () => {
		let reads = 0;
		const { read } = createWithReaders({
			mails: () => {
				reads++;
				return unsent(3)();
			},
		});
		await Promise.all([read(), read()]);
		expect((await read()).shop_mails_unsent).toBe(3);
		expect(reads).toBe(1);
	});

	test("a partner fails when it throws, is unavailable or not ready; a refusal is no failure", async () => {
		const metrics = createMetrics({ withProcessMetrics: false });
		const answers = {
			ok: true,
			unavailable: { ok: false, code: "unavailable" },
			refused: { ok: false, code: "refused" },
			ready: false,
		};
		const partner = observeCalls(
			"bank",
			{
				...Object.fromEntries(Object.entries(answers).map(([call, answer]) => [call, async () => answer])),
				name: "bank",
				now: () => 7,
				throws: () => Promise.reject(new Error("no")),
			},
			metrics,
		) as unknown as Record<string, () => Promise<unknown>>;
		for (const call of Object.keys(answers)) await partner[call]?.();
		await expect(partner.throws?.()).rejects.toThrow("no");
		expect([partner.name, partner.now?.()]).toEqual(["bank", 7]);
		const now = parse((await metrics.write()).text);
		const failures = (call: string) => now[`shop_partner_failures_total{partner="bank",call="${call}"}`];
		expect(["ok", "unavailable", "refused", "ready", "throws", "now"].map(failures)).toEqual([0, 1, 0, 1, 1, undefined]);
	});
});

interface AlertRule {
	alert: string;
	expr: string;
	labels: { severity: string };
	annotations: Record<string, string>;
}

/** Of promtool's own format. */
interface RuleTest {
	input_series: { series: string }[];
	alert_rule_test: {
		alertname: string;
		exp_alerts?: { exp_labels: Record<string, string>; exp_annotations: Record<string, string> }[];
	}[];
}

/** The texts that a template of Prometheus can give. */
const toPattern = (template: string) => new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\{[^}]*\}\}/g, ".+")}$`);

describe("alerts and dashboard", () => {
	const alerts = readFileSync("deploy/prometheus/alerts.yaml", "utf8");
	const dashboard = JSON.parse(readFileSync("deploy/grafana/extrait-pro.json", "utf8")) as {
		panels: { targets?: { expr: string; legendFormat: string }[] }[];
	};
	const expressions = [
		...[...alerts.matchAll(/expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/g)].map(([, block, line]) => block ?? line ?? ""),
		...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
	];
	/** Returns the metrics in an expression with the labels of their selectors. */
	const parseSelectors = (expression: string) =>
		[...expression.matchAll(/\b((?:shop|process|nodejs)_\w+|up\b)(?:\{([^}]*)\})?/g)].map(([, name = "", matchers = ""]) => ({
			name,
			labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
			routes: /route!~"[^"]*"/.exec(matchers)?.[0],
		}));
	const parseGroupLabels = (expression: string) =>
		[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
	/** Labels that Prometheus adds to each series; it would rename labels of the shop with these names. */
	const prometheusLabels = ["instance", "job"];

	/** Returns every metric with its labels, including figures that have no sample now. */
	async function scrapeLabels(): Promise<Map<string, Set<string>>> {
		const text = await (await scrape()).text();
		const known = new Map<string, Set<string>>(Object.entries(sharedFigures).map(([name, { labels }]) => [name, new Set(labels)]));
		// a metric without a sample now
		for (const [, name = ""] of text.matchAll(/^# TYPE (\w+)/gm)) known.set(name, known.get(name) ?? new Set());
		for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
			const seen = known.get(name) ?? new Set();
			for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) seen.add(label);
			known.set(name, seen);
		}
		return known;
	}

	test("alerts and dashboard use only existing metrics and labels", async () => {
		const exported = await scrapeLabels();
		const selectors = expressions.flatMap(parseSelectors).filter(({ name }) => name !== "up");
		expect(new Set(selectors.map(({ name }) => name)).size).toBeGreaterThan(15);
		for (const { name, labels } of selectors) {
			expect([...exported.keys()]).toContain(name);
			for (const label of labels) expect([...(exported.get(name) ?? []), ...prometheusLabels], name).toContain(label);
		}
		for (const expression of expressions) {
			const has = parseSelectors(expression).map(({ name }) => [...(exported.get(name) ?? []), ...prometheusLabels]);
			for (const label of parseGroupLabels(expression)) {
				if (label === "le") expect(expression).toContain("_bucket");
				else for (const labels of has) expect(labels, expression).toContain(label);
			}
		}
	});

	test("no label of the shop has a name reserved by Prometheus", async () => {
		for (const [name, labels] of await scrapeLabels()) for (const label of prometheusLabels) expect([...labels], name).not.toContain(label);
	});

	test("texts of alerts and legends use only labels in the result of their expression", () => {
		const texts = [
			...alerts
				.split(/^ {6}- alert: /m)
				.slice(1)
				.map((rule) => [/expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/.exec(rule)?.[0] ?? "", [...rule.matchAll(/\$labels\.(\w+)/g)]] as const),
			...dashboard.panels.flatMap(({ targets = [] }) =>
				targets.map(({ expr, legendFormat }) => [expr, [...legendFormat.matchAll(/\{\{\s*(\w+)\s*\}\}/g)]] as const),
			),
		];
		expect(texts.flatMap(([, labels]) => labels).length).toBeGreaterThan(20);
		for (const [expression, labels] of texts) {
			const aggregated = /\b(sum|max|min|avg|count)\b/.test(expression);
			const available = aggregated
				? parseGroupLabels(expression)
				: [
						...prometheusLabels,
						...parseSelectors(expression).flatMap(({ name }) => sharedFigures[name as FigureName]?.labels ?? ["pool", "state"]),
					];
			for (const [, label] of labels) expect(available, expression).toContain(label);
		}
	});

	test("a ratio has the same routes in numerator and denominator", () => {
		const ratios = expressions.filter((expression) => expression.includes(" / ") && expression.includes("shop_http_"));
		expect(ratios).not.toEqual([]);
		for (const ratio of ratios) expect(new Set(parseSelectors(ratio).map(({ routes }) => routes)).size, ratio).toBe(1);
	});

	test("the alert on failed jobs has another limit for frequent jobs that are not tried again", () => {
		const rule = /alert: JobsGaveUp[\s\S]*?shop_jobs_failed\{kind!~"([^"]*)"\}[\s\S]*?kind=~"([^"]*)"/.exec(alerts);
		expect(frequentKinds).toContain("wake-orders");
		for (const kinds of rule?.slice(1) ?? [undefined, undefined]) expect(kinds?.split("|").sort()).toEqual([...frequentKinds].sort());
	});

	test.each([
		["MailsUnsent", maxWaitMinutes * 60],
		["CopiesBehind", maxWaitMinutes * 60],
		["JobsBehind", maxWaitMinutes * 60],
		["ScheduleStopped", maxScheduleAge],
		["ClockWrong", maxClockAhead / 1000],
		["PartsNotAsked", maxProbeMinutes * 60],
		["CompaniesOld", maxCompaniesDays * 86_400],
		["JobsGaveUp", maxFailedRuns],
	])("the limit of %s is that of the doctor", (name, limit) => {
		const rules = (parseYaml(alerts) as { groups: { rules: AlertRule[] }[] }).groups.flatMap((group) => group.rules);
		const written = /> ([\d* ]+)$/.exec(rules.find(({ alert }) => alert === name)?.expr.trim() ?? "")?.[1] ?? "";
		expect(written.split("*").reduce((product, factor) => product * Number(factor), 1)).toBe(limit);
	});

	test("the invoices without PDF have the limit of the doctor", () => {
		expect(alerts).toMatch(new RegExp(`shop_invoices_without_pdf\\) > 0\n +for: ${maxWaitMinutes}m\n`));
	});

	// « promtool test rules », which no package of npm has, runs alerts.test.yaml after a change of a rule; what can be read of it is compared here
	test("the tests of the rules name rules, texts, metrics and labels that exist", async () => {
		const rules = (parseYaml(alerts) as { groups: { rules: AlertRule[] }[] }).groups.flatMap((group) => group.rules);
		const { tests } = parseYaml(readFileSync("deploy/prometheus/alerts.test.yaml", "utf8")) as { tests: RuleTest[] };
		const exported = await scrapeLabels();
		for (const { input_series, alert_rule_test } of tests) {
			for (const { name, labels } of input_series.flatMap(({ series }) => parseSelectors(series))) {
				expect([...exported.keys()]).toContain(name);
				for (const label of labels) expect([...(exported.get(name) ?? []), ...prometheusLabels], name).toContain(label);
			}
			for (const { alertname, exp_alerts = [] } of alert_rule_test) {
				const rule = rules.find(({ alert }) => alert === alertname) ?? expect.fail(`no rule ${alertname}`);
				expect(input_series.flatMap(({ series }) => parseSelectors(series)).map(({ name }) => name)).toEqual(
					expect.arrayContaining([...new Set(parseSelectors(rule.expr).map(({ name }) => name))]),
				);
				for (const { exp_labels, exp_annotations } of exp_alerts) {
					expect(exp_labels.severity).toBe(rule.labels.severity);
					expect(Object.keys(exp_annotations).sort()).toEqual(Object.keys(rule.annotations).sort());
					for (const [name, text] of Object.entries(rule.annotations)) expect(exp_annotations[name]).toMatch(toPattern(text));
				}
			}
		}
		const proven = new Set(tests.flatMap(({ alert_rule_test }) => alert_rule_test.map(({ alertname }) => alertname)));
		expect(proven.size).toBeGreaterThan(6);
	});

	test("each alert has a severity, a summary, a description, and a section in the runbook", () => {
		const rules = alerts.split(/^ {6}- alert: /m).slice(1);
		expect(rules.length).toBeGreaterThan(10);
		const headings = readFileSync("docs/operations.md", "utf8").match(/^#+ .*$/gm) ?? [];
		const anchors = headings.map((heading) =>
			heading
				.replace(/^#+ /, "")
				.toLowerCase()
				.replace(/[^\w\s-]/g, "")
				.replaceAll(" ", "-"),
		);
		for (const rule of rules) {
			expect(rule).toMatch(/severity: (page|warning) \}[\s\S]*summary: .+[\s\S]*description: .+/);
			const [name = ""] = rule.split("\n");
			expect(rule).toContain(`runbook_url: docs/operations.md#${name.toLowerCase()}\n`);
			expect(anchors).toContain(name.toLowerCase());
		}
	});
});
