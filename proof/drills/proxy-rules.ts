import { once } from "node:events";
import { createServer } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { deskHost, type ProxyName, type RunningProxy, startProxy } from "./proxies.ts";

/** The request as it reaches the web process. */
interface ForwardedRequest {
	url: string;
	host: string | undefined;
	forwardedFor: string | undefined;
	requestId: string | undefined;
	/** Its tracing headers. */
	traces: unknown[];
}

interface ProxyAnswer {
	status: number;
	/** Null when the request did not reach the web process. */
	seen: ForwardedRequest | null;
}

/** An IP address that only the drill's client uses, to find it in the proxy's log. */
const clientAddress = "127.0.0.2";

/** Internal paths, in every spelling that reaches the shop's router. */
const internalPaths = [
	"/readyz",
	"/readyz.data",
	"/READYZ",
	"/%72eadyz",
	"/./readyz",
	"/x/../readyz",
	"/%2e/readyz",
	"/metrics",
	"/metrics/",
];

/** Bodies that the shop accepts, or answers with its own page: app/web/limit-bodies.ts. */
const bodies = [
	["/contact", 64 * 1024],
	["/api/create-payment", 200_000],
	["/commande/plusieurs", 512 * 1024],
	["/commande/plusieurs", 1.4 * 1024 * 1024],
	["/commande/plusieurs.data", 1.4 * 1024 * 1024],
	["/bureau/commandes/KB-7F3K-92QD", 10 * 1024 * 1024],
	["/bureau/fichiers", 40 * 1024 * 1024],
	["/bureau/fichiers.data", 40 * 1024 * 1024],
] as const;

/**
 * Sends requests through the proxy to servers that echo them.
 * @returns each rule of the proxy's file, and whether it holds.
 */
export async function checkRules(
	undo: AsyncDisposableStack,
	name: ProxyName,
	options: Omit<Parameters<typeof startProxy>[2], "webs">,
): Promise<[rule: string, holds: boolean][]> {
	const webs = [await startEcho(undo), await startEcho(undo)].map((port) => `127.0.0.1:${port}`);
	const proxy = await startProxy(undo, name, { ...options, webs });
	const ask = (path: string, more?: RequestOptions) => send(proxy, path, more);
	const claimed = { "x-forwarded-for": "9.9.9.9", "x-request-id": "claimed", traceparent: "claimed", tracestate: "claimed" };
	const page = await ask("/recherche?q=a", { headers: { ...claimed, host: "localhost" } });
	const next = await ask("/recherche?q=b", { headers: claimed });
	const desk = await ask("/bureau", { headers: { host: deskHost } });
	const hidden = await Promise.all(internalPaths.map((path) => ask(path)));
	const large = await ask("/api/create-payment", { method: "POST", body: "x".repeat(1_100_000) });
	const passed = await Promise.all(bodies.map(([path, size]) => ask(path, { method: "POST", body: "x".repeat(size) })));
	// both processes must survive malformed bodies
	await Promise.all([1, 2, 3, 4].map(() => ask("/", { method: "POST", headers: { "transfer-encoding": "chunked" }, malformed: true })));
	const after = await ask("/");
	await ask("/confirmation/secret?email=secret", { headers: { cookie: "secret", referer: "https://localhost/secret" } });
	await ask("/suivi/secret/direct");
	const firstEvent = await readFirstEvent(proxy);
	await proxy.stop();
	return [
		["pages are served, with their query", page.status === 200 && page.seen?.url === "/recherche?q=a"],
		["Host is passed on, also that of the desk", page.seen?.host === "localhost" && desk.seen?.host === deskHost],
		["X-Forwarded-For is the client's address alone, whatever the client claims", page.seen?.forwardedFor === clientAddress],
		[
			"X-Request-Id is the proxy's own, another for each request, whatever the client claims",
			/^[\w-]{36}$/.test(page.seen?.requestId ?? "") && page.seen?.requestId !== next.seen?.requestId,
		],
		["tracing headers of a client are dropped", page.seen?.traces.length === 0],
		["/readyz and /metrics are 404, in every spelling", hidden.every(({ status, seen }) => status === 404 && seen === null)],
		["a body above 1 MB is 413", large.status === 413 && large.seen === null],
		["forms, lists of companies and operators' files are passed on", passed.every(({ status, seen }) => status === 200 && seen !== null)],
		["malformed bodies of one client do not stop the shop for others", after.status === 200],
		["an event is passed on before the stream ends", firstEvent.includes("event: change")],
		[
			"the log holds no key, query, header or client's address",
			!/secret|127\.0\.0\.2/.test(proxy.log()) && /confirmation/.test(proxy.log()),
		],
	];
}

/** A server that echoes each request, except for its health check and its live page. */
export async function startEcho(undo: AsyncDisposableStack): Promise<number> {
	const server = createServer(async (incoming, response) => {
		if (incoming.url === "/healthz") return void response.end("ok");
		if (incoming.url === "/live") return void response.writeHead(200, { "content-type": "text/event-stream" }).write("event: change\n\n");
		await text(incoming).catch(() => {});
		const { host, "x-forwarded-for": forwardedFor, "x-request-id": requestId, traceparent, tracestate } = incoming.headers;
		response.end(JSON.stringify({ url: incoming.url, host, forwardedFor, requestId, traces: [traceparent, tracestate].filter(Boolean) }));
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	undo.defer(() => {
		server.closeAllConnections();
		server.close();
	});
	return (server.address() as AddressInfo).port;
}

interface RequestOptions {
	method?: string;
	headers?: Record<string, string>;
	body?: string;
	/** Announces a chunk and sends none. */
	malformed?: boolean;
}

/** Sends a path unchanged, from `clientAddress`; `fetch` would normalise it. */
async function send(
	proxy: RunningProxy,
	path: string,
	{ method = "GET", headers, body, malformed }: RequestOptions = {},
): Promise<ProxyAnswer> {
	const where = { host: "127.0.0.1", port: proxy.port, servername: "localhost", localAddress: clientAddress, agent: false as const };
	const sent = request({ ...where, path, method, headers: { host: "localhost", ...headers } });
	if (malformed) sent.once("socket", (socket) => socket.once("secureConnect", () => setTimeout(() => socket.write("zz\r\n"), 100)));
	if (malformed) sent.flushHeaders();
	else sent.end(body);
	const [response] = await once(sent, "response").catch(() => [null]);
	if (response === null) return { status: 0, seen: null };
	const answered = await text(response).catch(() => "");
	if (malformed) sent.destroy();
	return { status: response.statusCode, seen: answered.startsWith("{") ? JSON.parse(answered) : null };
}

async function readFirstEvent({ url }: RunningProxy): Promise<string> {
	const reader = (await fetch(`${url}/live`)).body?.getReader();
	const first = await reader?.read();
	await reader?.cancel();
	return new TextDecoder().decode(first?.value);
}
