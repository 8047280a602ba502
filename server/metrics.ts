import { createHash, timingSafeEqual } from "node:crypto";
import type pg from "pg";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/**
 * What this process counts, and what it reads when it is asked, in the text format of Prometheus
 * (prometheus.io/docs/instrumenting/exposition_formats). Base units; labels have few values, and none leads to a person.
 */
export interface Metrics {
	/** @param route the route's pattern. @param seconds until the answer. */
	observeRequest(request: { method: string; route: string; status: number; seconds: number }): void;
	/** Counts a request that was refused for safety. */
	countRefusal(kind: string): void;
	/** @param failed the partner did not answer, or not in a way that we can use. */
	observePartner(asked: { partner: string; call: string; seconds: number; failed: boolean }): void;
	/** Shows a pool of connections under a name. */
	watchPool(name: string, pool: Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount">): void;
	/** Shows how many of something are open in this process. */
	watchLiveStreams(count: () => number): void;
	/** Shows what is read from the database, at most every ten seconds. A read that fails, or takes too long, shows nothing but that. */
	watchFigures(read: () => Promise<Figure[]>): void;
	/** Everything, as text. */
	write(): Promise<{ text: string; contentType: string }>;
}

/** A row of a reading from the database: the name of a metric, its labels, its value. */
export interface Figure {
	name: FigureName;
	labels?: Record<string, string>;
	value: number;
}

export type FigureName = keyof typeof figureHelps;

/** The metrics that are read from the database, which all processes share: `max` over the instances is the shop's. */
const figureHelps = {
	shop_orders: "Orders by state.",
	shop_next_promise_seconds: "Seconds until the next promise of an order under way; negative when it has passed.",
	shop_orders_past_promise: "Orders under way past their promise.",
	shop_jobs_waiting: "Jobs that could be done now and wait.",
	shop_jobs_lag_seconds: "How long the oldest of them has waited.",
	shop_jobs_failed: "Jobs that gave up in the last day.",
	shop_job_processes: "Processes that do jobs and gave a sign of life in the last 30 seconds.",
	shop_mails_unsent: "Mails of orders that should have left.",
	shop_mails_unsent_age_seconds: "How long the oldest of them has waited.",
	shop_refunds_open_euros: "Refunds that are requested, or pending at the provider.",
	shop_refunds_succeeded_euros_total: "What was given back.",
	shop_invoices_without_pdf: "Invoices and credit notes whose PDF is not made yet.",
	shop_part_ready: "Whether a part answered the last time that it was asked, every five minutes.",
	shop_parts_asked_timestamp_seconds: "When the parts were last asked.",
	shop_companies_imported_timestamp_seconds: "When the companies were last imported or updated.",
} as const;

const figureLabels: Partial<Record<FigureName, readonly string[]>> = {
	shop_orders: ["state"],
	shop_next_promise_seconds: ["service"],
	shop_orders_past_promise: ["service"],
	shop_jobs_waiting: ["job"],
	shop_jobs_lag_seconds: ["job"],
	shop_jobs_failed: ["job"],
	shop_refunds_open_euros: ["status", "reason"],
	shop_refunds_succeeded_euros_total: ["reason"],
	shop_part_ready: ["part"],
	shop_companies_imported_timestamp_seconds: ["source"],
};

/** Milliseconds. */
const figuresAreKept = 10_000;
const figuresMayTake = 4000;

/** Seconds: the goals are 50 ms for a page and 1 s for the slowest answer (docs/performance.md). */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** @param ofProcess false leaves out memory, processor and event loop, which take listeners of their own. */
export function openMetrics({ ofProcess }: { ofProcess: boolean }): Metrics {
	const registry = new Registry();
	const registers = [registry];
	if (ofProcess) collectDefaultMetrics({ register: registry });
	const requests = new Histogram({
		name: "shop_http_request_duration_seconds",
		help: "Requests, by the pattern of their route and the class of their status; 499, a client that left, counts as 4xx.",
		labelNames: ["method", "route", "status"],
		buckets: requestBuckets,
		registers,
	});
	const refusals = new Counter({
		name: "shop_refusals_total",
		help: "Requests refused for safety: another site's page, too many tries, a forged event, a wrong token.",
		labelNames: ["kind"],
		registers,
	});
	const partners = new Histogram({
		name: "shop_partner_request_duration_seconds",
		help: "Calls of partners.",
		labelNames: ["partner", "call"],
		buckets: requestBuckets,
		registers,
	});
	const failures = new Counter({
		name: "shop_partner_failures_total",
		help: "Calls that a partner did not answer, or not in a way that we can use.",
		labelNames: ["partner", "call"],
		registers,
	});
	const pools = new Map<string, Parameters<Metrics["watchPool"]>[1]>();
	new Gauge({
		name: "shop_database_connections",
		help: "Connections of this process by pool; waiting: who waits for one.",
		labelNames: ["pool", "state"],
		registers,
		collect() {
			for (const [pool, { totalCount, idleCount, waitingCount }] of pools) {
				this.set({ pool, state: "used" }, totalCount - idleCount);
				this.set({ pool, state: "idle" }, idleCount);
				this.set({ pool, state: "waiting" }, waitingCount);
			}
		},
	});
	let readFigures: (() => Promise<Figure[]>) | undefined;
	const figures = openFigures(registers, () => readFigures?.() ?? Promise.resolve([]));
	return {
		observeRequest: ({ method, route, status, seconds }) =>
			requests.observe({ method: knownMethod(method), route, status: `${Math.floor(status / 100)}xx` }, seconds),
		countRefusal: (kind) => refusals.inc({ kind }),
		observePartner({ partner, call, seconds, failed }) {
			partners.observe({ partner, call }, seconds);
			failures.inc({ partner, call }, failed ? 1 : 0);
		},
		watchPool: (name, pool) => void pools.set(name, pool),
		watchLiveStreams(count) {
			new Gauge({
				name: "shop_live_streams",
				help: "Pages that follow an order and are open at this process.",
				registers,
				collect() {
					this.set(count());
				},
			});
		},
		watchFigures(read) {
			readFigures = read;
		},
		async write() {
			if (readFigures) await figures.renew();
			return { text: await registry.metrics(), contentType: registry.contentType };
		},
	};
}

/** What comes from the database: read at most every ten seconds, whoever asks, and waited for no longer than four. */
function openFigures(registers: Registry[], read: () => Promise<Figure[]>): { renew(): Promise<void> } {
	const made = new Map<FigureName, Gauge | Counter>();
	for (const name of Object.keys(figureHelps) as FigureName[]) {
		const settings = { name, help: figureHelps[name], labelNames: figureLabels[name] ?? [], registers };
		made.set(name, name.endsWith("_total") ? new Counter(settings) : new Gauge(settings));
	}
	const succeeded = new Gauge({
		name: "shop_database_read_success",
		help: "Whether what is read from the database could be read.",
		registers,
	});
	let reading: Promise<void> | undefined;
	let readAt = Number.NEGATIVE_INFINITY;
	async function readAll(): Promise<void> {
		const rows = await within(figuresMayTake, read()).catch(() => null);
		for (const metric of made.values()) metric.reset();
		// a gauge without labels is 0 after its reset: what is not known is not there
		for (const [name, metric] of made) if (!figureLabels[name]) metric.remove();
		for (const { name, labels = {}, value } of rows ?? []) made.get(name)?.inc(labels, value);
		succeeded.set(rows === null ? 0 : 1);
		readAt = performance.now();
	}
	return {
		async renew() {
			if (performance.now() - readAt < figuresAreKept) return;
			reading ??= readAll().finally(() => {
				reading = undefined;
			});
			await reading;
		},
	};
}

function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, fail) => {
		timer = setTimeout(() => fail(new Error("it took too long")), milliseconds);
	});
	return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Anybody can send any word as a method. */
const knownMethod = (method: string) => (["GET", "HEAD", "POST", "OPTIONS"].includes(method) ? method : "other");

/** Whether a request may read the metrics: its header Authorization holds the token. Takes as long for any wrong one. */
export function mayReadMetrics(token: string, authorization: string | undefined): boolean {
	const given = createHash("sha256")
		.update(authorization ?? "")
		.digest();
	return timingSafeEqual(given, createHash("sha256").update(`Bearer ${token}`).digest());
}
