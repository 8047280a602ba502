import { createHash, timingSafeEqual } from "node:crypto";
import type pg from "pg";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { describeFault, type Log } from "./log.ts";

/**
 * The counters of this process and figures from the database, in the text format of Prometheus
 * (prometheus.io/docs/instrumenting/exposition_formats). Base units; labels have few values and identify nobody.
 */
export interface Metrics {
	/** @param route the route's pattern. @param seconds until the response. */
	observeRequest(request: { method: string; route: string; status: number; seconds: number }): void;
	/** Counts a request refused for security. */
	countRefusal(kind: RefusalKind): void;
	/** @param failed the partner gave no usable answer. */
	observePartner(call: { partner: string; call: string; seconds: number; failed: boolean }): void;
	/** Publishes the state of a connection pool. */
	watchPool(name: string, pool: Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount">): void;
	/** Publishes the number of live streams in this process. */
	watchLiveStreams(count: () => number): void;
	/** Publishes by how many milliseconds this process's clock is ahead of the payment provider's; null: unknown. */
	watchClock(readAhead: () => Promise<number | null>): void;
	/**
	 * Publishes figures from the database and refreshes them at most every ten seconds. A reader that fails or times out publishes
	 * nothing, and the log says why; the other figures are still published.
	 */
	watchFigures(readers: FigureReaders, log: Pick<Log, "error">): void;
	/** Returns all metrics as text. */
	write(): Promise<{ text: string; contentType: string }>;
}

/** Another site's page or a wrong role, too many tries, a forged event, a wrong token of the metrics. */
const refusalKinds = ["refused", "limited", "signature", "metrics"] as const;

export type RefusalKind = (typeof refusalKinds)[number];

/** Functions that read the figures of one subject, by the subject's name, in the order of reading. */
export type FigureReaders = Record<string, () => Promise<Figure[]>>;

/** One value of a metric. */
export interface Figure {
	name: FigureName;
	labels?: Record<string, string>;
	value: number;
}

export type FigureName = keyof typeof sharedFigures;

/** The metrics read from the database. All processes publish the same values: use `max` over the instances. */
export const sharedFigures = {
	shop_orders: { help: "Orders under way by state; of those that ended, the ones placed within the last day.", labels: ["state"] },
	shop_next_promise_seconds: {
		help: "Seconds until the next promise of an order under way; negative when it has passed.",
		labels: ["service"],
	},
	shop_orders_past_promise: { help: "Orders under way past their promise.", labels: ["service"] },
	shop_jobs_waiting: { help: "Jobs that could be done now and wait.", labels: ["kind"] },
	shop_jobs_lag_seconds: { help: "How long the oldest of them has waited.", labels: ["kind"] },
	shop_jobs_failed: { help: "Jobs that gave up in the last day.", labels: ["kind"] },
	shop_job_processes: { help: "Processes that do jobs and wrote a heartbeat in the last 30 seconds.", labels: [] },
	shop_schedule_age_seconds: {
		help: "How long ago the schedules were last looked at; negative after the clock was set back.",
		labels: [],
	},
	shop_mails_unsent: { help: "Mails of orders that should have left.", labels: [] },
	shop_mails_unsent_age_seconds: { help: "How long the oldest of them has waited.", labels: [] },
	shop_refunds_open_euros: {
		help: "Refunds that are requested, held above the brake, or pending at the provider.",
		labels: ["status", "reason"],
	},
	shop_refunds_last_hour_euros: { help: "What was given back within the last hour and has not come back.", labels: ["reason"] },
	shop_payments_unannounced: {
		help: "Payments that no event of the provider announced; 0 once the next event comes.",
		labels: [],
	},
	shop_copies_waiting_age_seconds: {
		help: "How long the order has waited that waits longest for its copy in the document storage.",
		labels: [],
	},
	shop_invoices_without_pdf: { help: "Invoices and credit notes whose PDF is not made yet.", labels: [] },
	shop_part_ready: { help: "Whether a part answered the last time that it was asked, every five minutes.", labels: ["part"] },
	shop_parts_asked_timestamp_seconds: { help: "When the parts were last asked.", labels: [] },
	shop_bulletin_read_until_timestamp_seconds: {
		help: "The last day of the bulletin that was read whole; 0: never read, or switched off.",
		labels: [],
	},
	shop_companies_imported_timestamp_seconds: { help: "When the companies were last imported or updated.", labels: ["source"] },
} as const satisfies Record<string, { help: string; labels: readonly string[] }>;

/** Milliseconds. The timeout is below Prometheus' `scrape_timeout` of ten seconds. */
const figuresMaxAgeMs = 10_000;
const figuresTimeoutMs = 8000;

/** Seconds. The goals are 50 ms for a page and 1 s for the slowest response (docs/performance.md). */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** @param withProcessMetrics false omits memory, processor and event loop, which need listeners. */
export function createMetrics({ withProcessMetrics }: { withProcessMetrics: boolean }): Metrics {
	const registry = new Registry();
	const registers = [registry];
	if (withProcessMetrics) collectDefaultMetrics({ register: registry });
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
	// a counter that begins with its first refusal hides that one from « increase »
	for (const kind of refusalKinds) refusals.inc({ kind }, 0);
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
	let refreshFigures: (() => Promise<void>) | undefined;
	return {
		observeRequest: ({ method, route, status, seconds }) =>
			requests.observe({ method: toMethodLabel(method), route, status: `${Math.floor(status / 100)}xx` }, seconds),
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
		watchClock(readAhead) {
			new Gauge({
				name: "shop_clock_ahead_seconds",
				help: "How far this process's clock is ahead of the payment provider's; negative: behind. Absent: unknown.",
				labelNames: [],
				registers,
				async collect() {
					const ahead = await readAhead();
					if (ahead === null) this.remove();
					else this.set(ahead / 1000);
				},
			});
		},
		watchFigures(readers, log) {
			refreshFigures = createFigures(registers, readers, log);
		},
		async write() {
			await refreshFigures?.();
			return { text: await registry.metrics(), contentType: registry.contentType };
		},
	};
}

/** Creates the gauges of the database's figures. @returns a function that refreshes them, at most every ten seconds. */
function createFigures(registers: Registry[], readers: FigureReaders, log: Pick<Log, "error">): () => Promise<void> {
	const gauges = new Map(
		Object.entries(sharedFigures).map(([name, { help, labels }]) => [
			name,
			new Gauge<string>({ name, help, labelNames: labels, registers }),
		]),
	);
	const succeeded = new Gauge({
		name: "shop_database_read_success",
		help: "Whether the figures of a subject could be read from the database.",
		labelNames: ["figures"],
		registers,
	});
	const failing = new Set<string>();
	let reading: Promise<void> | undefined;
	let readAt = Number.NEGATIVE_INFINITY;

	async function readAll(): Promise<void> {
		const figures: Figure[] = [];
		const deadline = performance.now() + figuresTimeoutMs;
		for (const [subject, read] of Object.entries(readers)) {
			try {
				figures.push(...assertFinite(await withTimeout(deadline - performance.now(), read)));
				failing.delete(subject);
			} catch (error) {
				if (!failing.has(subject))
					log.error({ figures: subject, error: describeFault(error) }, "figures for the metrics could not be read");
				failing.add(subject);
			}
		}
		// an unknown figure is absent: neither its old value nor 0
		for (const [name, { labels }] of Object.entries(sharedFigures)) {
			gauges.get(name)?.reset();
			// a gauge without labels is 0 after its reset
			if (labels.length === 0) gauges.get(name)?.remove();
		}
		for (const { name, labels = {}, value } of figures) gauges.get(name)?.set(labels, value);
		for (const subject of Object.keys(readers)) succeeded.set({ figures: subject }, failing.has(subject) ? 0 : 1);
		readAt = performance.now();
	}

	return async () => {
		if (performance.now() - readAt < figuresMaxAgeMs) return;
		reading ??= readAll().finally(() => {
			reading = undefined;
		});
		await reading;
	};
}

/** @throws for a value that is not a finite number. */
function assertFinite(rows: Figure[]): Figure[] {
	const invalid = rows.find(({ value }) => !Number.isFinite(value));
	if (invalid) throw new Error(`${invalid.name} ${JSON.stringify(invalid.labels)} is ${invalid.value}`);
	return rows;
}

/** @throws when the work takes longer, or when no time is left to start it. */
async function withTimeout<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> {
	if (milliseconds <= 0) throw new Error("no time was left");
	let timer: NodeJS.Timeout | undefined;
	const timedOut = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error("it took too long")), milliseconds);
	});
	return Promise.race([work(), timedOut]).finally(() => clearTimeout(timer));
}

/** Clients can send any text as a method: unknown ones share a label. */
const toMethodLabel = (method: string) => (["GET", "HEAD", "POST", "OPTIONS"].includes(method) ? method : "other");

/** Whether the header Authorization holds the token. The comparison takes constant time. */
export function mayReadMetrics(token: string, authorization: string | undefined): boolean {
	const actual = createHash("sha256")
		.update(authorization ?? "")
		.digest();
	return timingSafeEqual(actual, createHash("sha256").update(`Bearer ${token}`).digest());
}
