import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parseEnvironment } from "../../server/environment.ts";
import { readQueue } from "../../server/jobs.ts";
import { openMetrics } from "../../server/metrics.ts";
import { startMetricsServer } from "../../server/metrics-server.ts";
import { observeCalls } from "../../server/partner-calls.ts";
import { type TestShop, testShop } from "../../server/test-shop.ts";
import { scaledTimeout } from "../../time-limits.ts";
import { cents } from "../catalogue/money.ts";
import { readUnsentMails } from "../mail/mails.store.server.ts";
import { grantRefund } from "../orders/ask-for-refund.server.ts";
import { readFigures } from "./read-figures.server.ts";

const token = "0123456789abcdef-of-the-tests-0123456789";
let ahead = 0;
let shop: TestShop;

beforeAll(async () => {
	shop = await testShop({ variables: { METRICS_TOKEN: token, ISSUER: "manual" }, now: () => new Date(Date.now() + ahead) });
});
afterAll(() => shop.close());

const scrape = (authorization = `Bearer ${token}`) => shop.ask("/metrics", { headers: authorization === "" ? {} : { authorization } });

/** « name{labels} » → value, as Prometheus reads it. */
function parse(text: string): Record<string, number> {
	const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
	return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]));
}
const told = async () => parse(await (await scrape()).text());

/** What is read from the database now, without the ten seconds for which the process keeps it. */
async function figures(): Promise<Record<string, number>> {
	const metrics = openMetrics({ ofProcess: false });
	metrics.watchFigures(() => readFigures(shop.shop));
	return parse((await metrics.write()).text);
}
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: scaledTimeout(20_000), interval: 50 });

describe("who may read them", () => {
	test("who sends the token", async () => {
		const answer = await scrape();
		expect([answer.status, answer.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)]);
		expect(answer.headers.get("cache-control")).toBe("no-store");
	});

	test.each(["", "Bearer", `Bearer ${token}x`, `Bearer ${token.slice(1)}`, token, `Basic ${token}`])(
		"not who sends « %s »",
		async (authorization) => {
			const answer = await scrape(authorization);
			expect([answer.status, answer.headers.get("www-authenticate"), await answer.text()]).toEqual([401, "Bearer", ""]);
		},
	);

	test("nobody, where there is no token", async () => {
		const without = await testShop();
		expect((await without.ask("/metrics", { headers: { authorization: `Bearer ${token}` } })).status).toBe(404);
		await without.close();
	});

	test.each([
		[{ METRICS_TOKEN: "short" }, /^METRICS_TOKEN/],
		[{ METRICS_PORT: "9464", HOST: "0.0.0.0" }, /^METRICS_TOKEN is not set/],
		[{ METRICS_PORT: "3000", PORT: "3000" }, /^METRICS_PORT is the same as PORT/],
		[{ METRICS_PORT: "9464" }, null],
		[{ METRICS_PORT: "9464", HOST: "0.0.0.0", METRICS_TOKEN: token }, null],
	])("%j is a setting or is refused", (variables, problem) => {
		const parsed = parseEnvironment(variables);
		expect(parsed.ok ? [] : parsed.problems).toEqual(problem === null ? [] : [expect.stringMatching(problem)]);
	});

	test("a port of their own asks for the token where there is one, and shows nothing else", async () => {
		const metrics = openMetrics({ ofProcess: false });
		const ask = async (metricsToken: string | undefined, path: string, authorization = "") => {
			const server = await startMetricsServer({ host: "127.0.0.1", metricsPort: 0, metricsToken }, metrics);
			if (server === undefined) throw new Error("it did not start");
			const { port } = server.address() as AddressInfo;
			const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } });
			server.close();
			return status;
		};
		expect(await ask(undefined, "/metrics")).toBe(200);
		expect(await ask(undefined, "/")).toBe(404);
		expect(await ask(token, "/metrics")).toBe(401);
		expect(await ask(token, "/metrics", `Bearer ${token}`)).toBe(200);
		expect(await startMetricsServer({ host: "127.0.0.1", metricsPort: undefined, metricsToken: token }, metrics)).toBeUndefined();
	});
});

describe("what they tell", () => {
	test("requests by the pattern of their route, refusals, partners, connections, memory", async () => {
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
		expect(now.shop_database_read_success).toBe(1);
	});

	test("live pages while they are open", async () => {
		const placed = await shop.placeOrder();
		const reader = new AbortController();
		await shop.ask(`/confirmation/${placed.sessionId}/direct`, { signal: reader.signal });
		expect((await told()).shop_live_streams).toBe(1);
		reader.abort();
		await eventually(async () => expect((await told()).shop_live_streams).toBe(0));
	});

	test("orders by state, the next promise, those past it, refunds, mails, the queue", async () => {
		const before = await figures();
		expect(before.shop_job_processes).toBe(1);
		const placed = await shop.placeOrder({ service: "express" });
		await shop.payByCard(placed.payUrl);
		const { promised_at } = await shop.untilOrderIs("processing", placed.id);
		await shop.mailsOf(placed, "confirmation");
		const paid = await figures();
		expect(paid['shop_orders{state="processing"}']).toBe((before['shop_orders{state="processing"}'] ?? 0) + 1);
		const left = (promised_at?.getTime() ?? 0) - shop.shop.now().getTime();
		expect(Math.abs((paid['shop_next_promise_seconds{service="express"}'] ?? 0) - left / 1000)).toBeLessThan(30);
		expect(paid['shop_orders_past_promise{service="express"}']).toBe(0);
		expect(paid.shop_invoices_without_pdf).toBe(0);
		expect((await told())['shop_partner_request_duration_seconds_count{partner="storage",call="put"}']).toBeGreaterThan(0);

		await grantRefund(shop.shop, placed.id, cents(1050));
		await shop.mailsOf(placed, "refunded");
		expect((await figures())['shop_refunds_succeeded_euros_total{reason="operator"}']).toBe(10.5);

		ahead = left + 60_000;
		const late = await figures();
		expect(late['shop_orders_past_promise{service="express"}']).toBe(1);
		expect(late['shop_next_promise_seconds{service="express"}']).toBeLessThan(0);
		ahead = 0;
	});

	test("a job that gave up, one that waits, and a mail that should have left; not a reminder whose time has not come", async () => {
		const { db, now } = shop.shop;
		const placed = await shop.placeOrder();
		const at = now();
		const mail = (id: string, kind: string, seconds: number) => ({
			...{ id, order_id: placed.id, kind, created_at: new Date(at.getTime() - seconds * 1000) },
		});
		const seen = db.transaction().execute(async (trx) => {
			await sql`insert into jobs.job (name, state, start_after) values
				('fulfil-order', 'failed', now()), ('fulfil-order', 'retry', now() - interval '90 seconds'), ('fulfil-order', 'created', now() + interval '1 hour')`.execute(
				trx,
			);
			const before = await readUnsentMails(trx, at);
			await trx
				.insertInto("mails")
				.values([mail("00000000-0000-4000-8000-000000000001", "late", 900), mail("00000000-0000-4000-8000-000000000002", "resume", 300)])
				.execute();
			const [after, queue] = [await readUnsentMails(trx, at), await readQueue(trx)];
			// rolled back, or it would be done
			throw Object.assign(new Error("seen"), { before, after, jobs: queue.jobs.filter(({ job }) => job === "fulfil-order") });
		});
		const { before, after, jobs } = await seen.catch((found) => found);
		expect(after.unsent - before.unsent).toBe(1);
		expect(after.age).toBeCloseTo(900, 0);
		expect(jobs).toEqual([{ job: "fulfil-order", waiting: 1, lag: expect.closeTo(90, 0), failed: 1 }]);
	});

	test("without the database, everything but what is read from it; read again once it is back", async () => {
		const metrics = openMetrics({ ofProcess: true });
		metrics.watchFigures(() => Promise.reject(new Error("away")));
		metrics.observeRequest({ method: "BREW", route: "/cgv", status: 499, seconds: 0.1 });
		const now = parse((await metrics.write()).text);
		expect(now.shop_database_read_success).toBe(0);
		expect(Object.keys(now)).toEqual(expect.arrayContaining(["process_resident_memory_bytes"]));
		expect(now['shop_http_request_duration_seconds_count{method="other",route="/cgv",status="4xx"}']).toBe(1);
		// what is not known is absent, and not 0: an alert must not believe it
		for (const name of ["shop_mails_unsent", "shop_job_processes", 'shop_orders{state="paid"}']) expect(now).not.toHaveProperty([name]);
	});

	test("the database is read once for all who ask within ten seconds", async () => {
		const metrics = openMetrics({ ofProcess: false });
		let reads = 0;
		metrics.watchFigures(async () => {
			reads++;
			return [{ name: "shop_mails_unsent" as const, value: 3 }];
		});
		await Promise.all([metrics.write(), metrics.write()]);
		expect(parse((await metrics.write()).text).shop_mails_unsent).toBe(3);
		expect(reads).toBe(1);
	});

	test("a partner that throws, is unavailable or is not ready has failed; one that says no has answered", async () => {
		const metrics = openMetrics({ ofProcess: false });
		const answers = {
			ok: true,
			unavailable: { ok: false, reason: "unavailable" },
			refused: { ok: false, reason: "refused" },
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

describe("what watches them", () => {
	const alerts = readFileSync("deploy/prometheus/alerts.yaml", "utf8");
	const dashboard = JSON.parse(readFileSync("deploy/grafana/extrait-pro.json", "utf8")) as { panels: { targets?: { expr: string }[] }[] };
	const expressions = [
		...[...alerts.matchAll(/expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/g)].map(([, block, line]) => block ?? line ?? ""),
		...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
	];
	const names = [...new Set(expressions.flatMap((text) => text.match(/\b(shop|process|nodejs)_\w+/g) ?? []))];

	test("alerts and dashboard name only what the shop tells, with the labels that it has", async () => {
		const text = await (await scrape()).text();
		const exported = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
			type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
		);
		expect(names.length).toBeGreaterThan(15);
		expect(names.filter((name) => !exported.includes(name))).toEqual([]);
	});

	test("each alert has its severity, a summary, a description, and its section of the runbook", () => {
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
