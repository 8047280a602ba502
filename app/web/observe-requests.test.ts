import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { Hono } from "hono";
import { afterEach, expect, test, vi } from "vitest";
import { createLog } from "../../server/observability/log.ts";
import { createMetrics } from "../../server/observability/metrics.ts";
import { currentContext, setContextOrder } from "../../server/observability/request-context.ts";
import { createTracer, type Tracer } from "../../server/observability/tracing.ts";
import { findSecurityEvent, identifyRequests, recordRequests } from "./observe-requests.ts";

// What the log, the metrics and a collector are told of a request.

interface Options {
	trustedProxies?: number;
	tracer?: Tracer;
	level?: string;
	/** Runs inside the request. */
	during?: () => void;
}

/** An app whose only route answers with the status that its path ends with or a header names, 200 without one. */
function createApp({ trustedProxies = 0, tracer, level = "info", during }: Options = {}) {
	const lines: Record<string, unknown>[] = [];
	const log = createLog(level, { write: (line) => lines.push(JSON.parse(line)) });
	const metrics = createMetrics({ withProcessMetrics: false });
	const app = new Hono();
	const getRoute = () => "/the/:pattern";
	let request: string | undefined;
	app.use(identifyRequests({ environment: { trustedProxies }, tracer } as Parameters<typeof identifyRequests>[0], getRoute));
	app.use(recordRequests({ log, metrics }, getRoute));
	app.all("*", (c) => {
		request = currentContext().request;
		during?.();
		return c.body(null, Number(/\d+$/.exec(c.req.path)?.[0] ?? c.req.header("x-status") ?? 200) as 200);
	});
	const ask = async (path: string, init: RequestInit = {}, env: object = {}) =>
		app.fetch(new Request(`http://shop.example${path}`, init), env);
	/** The samples of a metric, without those of its buckets. */
	const read = async (name: string) =>
		(await metrics.write()).text.split("\n").filter((line) => line.startsWith(name) && !line.includes("_bucket"));
	return { ask, lines, read, getRequest: () => request };
}

test.each([
	[200, { level: 30 }],
	[301, { level: 30 }],
	[404, { level: 30 }],
	[403, { level: 40, event: "security", kind: "refused" }],
	[429, { level: 40, event: "security", kind: "limited" }],
	[500, { level: 50 }],
	[503, { level: 50 }],
])("a response %i is logged as %o, and counted with its route and the class of its status", async (status, fields) => {
	const { ask, lines, read } = createApp();
	await ask(`/x/${status}?email=ada@example.fr`, { method: "POST" });
	const { time, ms, request, ...line } = lines[0] ?? {};
	expect(line).toEqual({ ...fields, msg: "request", method: "POST", route: "/the/:pattern", status });
	expect(lines).toHaveLength(1);
	const [, count] = await read("shop_http_request_duration_seconds");
	expect(count).toBe(
		`shop_http_request_duration_seconds_count{method="POST",route="/the/:pattern",status="${Math.floor(status / 100)}xx"} 1`,
	);
	const counted = (await read("shop_refusals_total{")).filter((line) => !line.endsWith(" 0"));
	expect(counted).toEqual("kind" in fields ? [`shop_refusals_total{kind="${fields.kind}"} 1`] : []);
});

test.each([
	["/api/stripe/webhook", 400, "signature"],
	["/api/stripe/webhook", 401, undefined],
	["/api/stripe/webhook", 403, "refused"],
	["/contact", 400, undefined],
	["/contact", 403, "refused"],
	["/contact", 429, "limited"],
	["/contact", 200, undefined],
])("%s refused with %i is a security event of this kind: %s", (route, status, kind) => {
	expect(findSecurityEvent(route, status)).toEqual(kind === undefined ? null : { event: "security", kind });
});

test("the time of a response is logged in milliseconds, and counted in seconds", async () => {
	vi.useFakeTimers({ toFake: ["performance"] });
	try {
		vi.advanceTimersByTime(60_000);
		const { ask, lines, read } = createApp({ during: () => vi.advanceTimersByTime(1500.4) });
		await ask("/x");
		expect(lines).toMatchObject([{ ms: 1500 }]);
		const [sum = ""] = await read("shop_http_request_duration_seconds_sum");
		expect(Number(sum.split(" ")[1])).toBeCloseTo(1.5, 2);
	} finally {
		vi.useRealTimers();
	}
});

test.each([
	["/metrics", 200, 0],
	["/metrics", 500, 0],
	["/healthz", 200, 0],
	["/readyz", 200, 0],
	["/healthz", 201, 1],
	["/healthz", 503, 1],
	["/readyz", 503, 1],
	["/x", 200, 1],
])("%s, answered with %i, is counted, and logged %i times", async (path, status, logged) => {
	const { ask, lines, read } = createApp();
	await ask(path, { headers: { "x-status": `${status}` } });
	expect(lines).toHaveLength(logged);
	expect(await read("shop_http_request_duration_seconds_count")).toHaveLength(1);
});

test.each([
	["/healthz", 503, 30],
	["/healthz", 500, 50],
	["/readyz", 503, 50],
])("%s, answered with %i, has the level %i", async (path, status, level) => {
	const { ask, lines } = createApp();
	await ask(path, { headers: { "x-status": `${status}` } });
	expect(lines).toMatchObject([{ status, level }]);
});

test("a log of warnings has refusals and failures only", async () => {
	const { ask, lines } = createApp({ level: "warn" });
	for (const status of [200, 403, 500]) await ask(`/x/${status}`);
	expect(lines.map(({ status }) => status)).toEqual([403, 500]);
});

const finished = { destroyed: true, writableFinished: true };
const broken = { destroyed: true, writableFinished: false };
test.each([
	["the client read to the end", { incoming: { errored: null }, outgoing: finished }, 200],
	["the client waits", { incoming: {}, outgoing: { destroyed: false, writableFinished: false } }, 200],
	["its body broke off", { incoming: { errored: new Error("aborted") }, outgoing: finished }, 499],
	["its connection was closed before the response", { incoming: { errored: null }, outgoing: broken }, 499],
	["there is no connection", {}, 200],
])("the status is logged when %s", async (_case, env, status) => {
	const { ask, lines } = createApp();
	await ask("/x", {}, env);
	expect(lines).toMatchObject([{ status, level: 30 }]);
});

test("a client that left meanwhile is no failure", async () => {
	const leaving = new AbortController();
	const { ask, lines } = createApp({ during: () => leaving.abort() });
	await ask("/x/500", { signal: leaving.signal });
	expect(lines).toMatchObject([{ status: 499, level: 30 }]);
});

test.each([
	[0, false],
	[1, true],
])("behind %i proxies, the id of a request is the given one: %s", async (trustedProxies, isGiven) => {
	const { ask, lines, getRequest } = createApp({ trustedProxies });
	await ask("/x", { headers: { "x-request-id": "given-1" } });
	expect(lines[0]?.request).toBe(getRequest());
	expect(getRequest() === "given-1").toBe(isGiven);
	expect(getRequest()).toMatch(/^[\w-]{7,}$/);
});

interface Span {
	traceId: string;
	parentSpanId?: string;
	name: string;
	attributes: { key: string; value: Record<string, unknown> }[];
	status: { code?: number };
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
});

/** Asks an app whose spans go to a collector on loopback. @returns them, once all were sent. */
async function trace(options: Options, act: (app: ReturnType<typeof createApp>) => Promise<unknown>) {
	const spans: Span[] = [];
	const collector = createServer(async (request, answer) => {
		const { resourceSpans } = (await json(request)) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
		for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
		answer.writeHead(200, { "content-type": "application/json" }).end("{}");
	});
	await new Promise<void>((ready) => collector.listen(0, "127.0.0.1", ready));
	closing.push(() => collector.close());
	const tracer = await createTracer(`http://127.0.0.1:${(collector.address() as AddressInfo).port}`, "shop", createLog("silent"));
	const app = createApp({ ...options, tracer });
	await act(app);
	await tracer.close();
	return spans.map(({ attributes, ...span }) => ({
		...span,
		attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
	}));
}

const traceId = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

test("a span has the route, the status, the id and the order of its request, and an error from 500 on", async () => {
	let traceOfLog: unknown;
	const spans = await trace({}, async ({ ask, lines }) => {
		for (const status of [200, 499, 500]) await ask(`/x/${status}`, { method: "POST" });
		traceOfLog = lines[0]?.trace;
	});
	expect(spans.map(({ name }) => name)).toEqual(Array(3).fill("POST /the/:pattern"));
	expect(spans[0]?.traceId).toBe(traceOfLog);
	expect(spans.map(({ attributes }) => attributes)).toEqual([
		{
			"http.request.method": "POST",
			"http.route": "/the/:pattern",
			"http.response.status_code": 200,
			"shop.request.id": expect.any(String),
		},
		expect.objectContaining({ "http.response.status_code": 499 }),
		expect.objectContaining({ "http.response.status_code": 500, "error.type": "500" }),
	]);
	expect(spans.map(({ status }) => status.code === 2)).toEqual([false, false, true]);
	const [ofOrder] = await trace({ during: () => setContextOrder("order 1") }, ({ ask }) => ask("/x"));
	expect(ofOrder?.attributes).toMatchObject({ "shop.order.id": "order 1" });
});

test.each([
	[0, false],
	[1, true],
])("behind %i proxies, a trace is continued: %s", async (trustedProxies, isContinued) => {
	const spans = await trace({ trustedProxies }, ({ ask }) => ask("/x", { headers: { traceparent } }));
	expect(spans.map((span) => [span.traceId === traceId, span.parentSpanId === "b7ad6b7169203331"])).toEqual([[isContinued, isContinued]]);
});

test("health checks have no span", async () => {
	const spans = await trace({}, async ({ ask }) => {
		for (const path of ["/healthz", "/readyz", "/metrics", "/x"]) await ask(path);
	});
	expect(spans).toHaveLength(1);
});
