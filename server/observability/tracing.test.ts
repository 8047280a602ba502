import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { paymentRequest } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";

/** A web process and a jobs process send their spans to a collector on loopback. */

interface Span {
	service: string;
	traceId: string;
	spanId: string;
	parentSpanId?: string;
	name: string;
	attributes: Record<string, unknown>;
}

interface Export {
	resourceSpans: {
		resource: { attributes: Attribute[] };
		scopeSpans: { spans: (Omit<Span, "attributes" | "service"> & { attributes: Attribute[] })[] }[];
	}[];
}
type Attribute = { key: string; value: Record<string, unknown> };

const asRecord = (attributes: Attribute[]) => Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const spans: Span[] = [];
const folder = mkdtempSync(join(tmpdir(), "extrait-pro-traces-"));
const customer = { email: "augusta.ada@recognisable.example", firstName: "Augusta", lastName: "Lovelace-Byron" };
const processes: ChildProcess[] = [];
let output = "";
let collector: Server;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let url: string;

beforeAll(async () => {
	collector = createServer(async (request, answer) => {
		for (const { resource, scopeSpans } of ((await json(request)) as Export).resourceSpans) {
			const service = String(asRecord(resource.attributes)["service.name"]);
			for (const span of scopeSpans.flatMap((scope) => scope.spans))
				spans.push({ ...span, service, attributes: asRecord(span.attributes) });
		}
		answer.writeHead(200, { "content-type": "application/json" }).end("{}");
	});
	const endpoint = await listenOn(collector);
	database = await createTestDatabase();
	const free = createServer();
	url = await listenOn(free);
	await new Promise((done) => free.close(done));
	for (const role of ["web", "jobs"]) start(role, endpoint);
	await vi.waitFor(
		() => expect(output).toMatch(/The shop is open[\s\S]*The jobs are running|The jobs are running[\s\S]*The shop is open/),
		{
			timeout: scaledTimeout(60_000),
		},
	);
}, scaledTimeout(90_000));

afterAll(async () => {
	for (const child of processes) child.kill("SIGKILL");
	collector.close();
	await database.close();
	rmSync(folder, { recursive: true, force: true });
});

async function listenOn(server: Server): Promise<string> {
	await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function start(role: string, endpoint: string): void {
	const { host, port, user, database: name } = database.connection;
	const child = spawn(process.execPath, ["main.ts", role], {
		env: {
			OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
			DATA_DIR: folder,
			LOG_LEVEL: "info",
			TRUSTED_PROXIES: "1",
			PORT: new URL(url).port,
			BASE_URL: url,
			APP_SECRET: "a secret of the tests that is long enough to sign",
			DATABASE_URL: `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(String(host))}`,
		},
	});
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (text) => {
			output += text;
		});
	processes.push(child);
}

/** Waits for all spans of a trace. @returns them by name. */
async function waitForTrace(getTraceId: () => string | undefined, names: string[]): Promise<Map<string, Span>> {
	const findSpans = () => spans.filter(({ traceId }) => traceId === getTraceId());
	await vi.waitFor(() => expect(findSpans().map(({ name }) => name)).toEqual(expect.arrayContaining(names)), {
		timeout: scaledTimeout(20_000),
		interval: 100,
	});
	return new Map(findSpans().map((span) => [span.name, span]));
}

test("one trace holds a proxy's request, its statements, partners' calls, and jobs of another process", {
	timeout: scaledTimeout(60_000),
}, async () => {
	const traceId = "0af7651916cd43dd8448eb211c80319c";
	const placed = await fetch(`${url}/api/create-payment`, {
		method: "POST",
		body: JSON.stringify(paymentRequest({ customer })),
		headers: { "content-type": "application/json", traceparent: `00-${traceId}-b7ad6b7169203331-01` },
	});
	const { url: payUrl } = (await placed.json()) as { url: string };
	const { rows } = await database.pool.query("select id from orders");
	const [{ id }] = rows;
	const placing = await waitForTrace(() => traceId, ["POST /api/create-payment", "payment createSession", "INSERT"]);
	const request = placing.get("POST /api/create-payment");
	expect(request).toMatchObject({ service: "extrait-pro web", parentSpanId: "b7ad6b7169203331" });
	expect(request?.attributes).toMatchObject({ "http.response.status_code": 200, "shop.order.id": id });
	expect(placing.get("payment createSession")?.parentSpanId).toBe(request?.spanId);
	expect(spans).toContainEqual(
		expect.objectContaining({
			traceId,
			attributes: expect.objectContaining({ "db.query.text": expect.stringContaining('insert into "orders"') }),
		}),
	);
	// the log names the trace
	expect(output).toMatch(new RegExp(`"trace":"${traceId}".*"event":"created"`));

	const body = new URLSearchParams({ intent: "pay", card: "4242 4242 4242 4242" });
	expect((await fetch(payUrl, { method: "POST", body, redirect: "manual" })).status).toBe(303);
	// the provider's event starts another trace, which ends with the delivery e-mail
	const event = () => spans.find(({ name }) => name === "POST /api/stripe/webhook");
	const serving = await waitForTrace(() => event()?.traceId, ["job fulfil-order", "job send-order-mail", "storage put", "mail send"]);
	expect(event()).toMatchObject({ service: "extrait-pro web", attributes: { "shop.order.id": id } });
	const job = serving.get("job fulfil-order");
	expect(job).toMatchObject({ service: "extrait-pro jobs", attributes: { "shop.order.id": id } });
	expect(job?.parentSpanId).toBe(event()?.spanId);
	expect(serving.get("mail send")?.service).toBe("extrait-pro jobs");

	const all = JSON.stringify(spans);
	for (const secret of [...Object.values(customer), payUrl.split("/").at(-1)]) expect(all).not.toContain(secret);
});

test("health checks have no trace", async () => {
	await fetch(`${url}/healthz`);
	await fetch(`${url}/cgv`);
	await vi.waitFor(() => expect(spans.map(({ name }) => name)).toContain("GET /cgv"), { timeout: scaledTimeout(20_000), interval: 100 });
	expect(spans.map(({ name }) => name)).not.toContain("GET /healthz");
});

test("a shop without a collector loads none of the packages", () => {
	for (const file of ["server/observability/tracing.ts", "build/server/index.js"])
		expect(readFileSync(file, "utf8")).not.toMatch(/^import (?!type)[^;]*"@opentelemetry/m);
});
