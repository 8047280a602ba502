import { resolve } from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { type Client, identifyClient } from "../../server/client.ts";
import { describeFault } from "../../server/observability/log.ts";
import { mayReadMetrics } from "../../server/observability/metrics.ts";
import { currentContext, inContext, requestId } from "../../server/observability/request-context.ts";
import type { Span } from "../../server/observability/tracing.ts";
import {
	clientContext,
	databaseUnavailableContext,
	drawPreviewContext,
	refusalContext,
	retryAfterContext,
	type Shop,
	shopContext,
} from "../shop.ts";
import { previewPictures } from "../ui/preview-picture.server.tsx";
import { apiError, isAbortedBy } from "./http.ts";
import { pageCache } from "./page-cache.ts";
import { readLimits } from "./read-limits.ts";
import { findRefusal, isMatchable, type RefusalStatus, refusals } from "./refusals.ts";
import { routePatterns } from "./route-patterns.ts";
import { securityEvent } from "./security-events.ts";
import { sitemapCache } from "./sitemap-cache.ts";

/** Largest request body: forms and events are a few kilobytes. */
const largestBody = 256 * 1024;

/** Up to here, a body that is too large is read all the same, and forgotten. */
const largestBodyReadAway = 32 * 1024 * 1024;

const year = "public, max-age=31536000, immutable";

/** What other sites and networks show beside our addresses; no other answer is for them to embed. */
const embeddable = /^\/(apercu(\/[^?]*)?|[\w-]+)\.(ico|svg|png)$/;

/**
 * The web front of the shop: static files, limits and headers here; pages and API from app/routes.ts.
 * @returns an app whose `fetch` answers one request.
 */
export async function createWeb(shop: Shop): Promise<Hono> {
	const framework: ServerBuild = await import("virtual:react-router/server-build");
	const { baseUrl, trustedProxies, metricsToken } = shop.environment;
	const { metrics } = shop;
	const { host: ownHost, origin: ownOrigin } = new URL(baseUrl);
	// behind a proxy the request's own origin is not the one that the browser names
	const build = { ...framework, allowedActionOrigins: [ownHost] };
	const handle = createRequestHandler(build, import.meta.env.MODE);
	const { patternOf, canonicalPath } = routePatterns(build);
	const limits = readLimits(shop.environment.readLimits);
	const drawPreview = previewPictures();
	const clientOf = (c: Context): Client => identifyClient(socketIpOf(c), c.req.header("x-forwarded-for"), trustedProxies);
	const app = new Hono();

	const answer = async (c: Context, refusal?: { status: number; sentence: string }): Promise<Response> => {
		const context = new RouterContextProvider();
		context.set(shopContext, shop);
		context.set(drawPreviewContext, drawPreview);
		context.set(clientContext, clientOf(c));
		context.set(refusalContext, refusal);
		// a refusal is drawn at an address that is sure to be readable, and that no page has
		const response = await handle(
			refusal ? new Request(new URL("/refus", ownOrigin), { headers: { accept: "text/html" } }) : c.req.raw,
			context,
		);
		const retryAfter = context.get(retryAfterContext);
		if (retryAfter !== null) response.headers.set("retry-after", String(retryAfter));
		// RFC 9110, 15.5.6; a route that takes POST alone says so itself
		if (response.status === 405 && !response.headers.has("allow")) response.headers.set("allow", "GET, HEAD");
		if (response.status < 500 || !context.get(databaseUnavailableContext)) return response;
		// the data of a page stay as the framework wrote them
		const away = c.req.path.endsWith(".data")
			? new Response(response.body, { status: 503, headers: response.headers })
			: await refuse(c, 503);
		away.headers.set("retry-after", "5");
		return away;
	};
	const refuse = async (c: Context, status: RefusalStatus, headers: Record<string, string> = {}): Promise<Response> => {
		const sentence = refusals[status];
		const refusal = c.req.path.startsWith("/api/")
			? apiError(status, sentence)
			: /\.(data|png|xml|txt)$/.test(c.req.path)
				? plainRefusal(status)
				: await answer(c, { status, sentence });
		for (const [name, value] of Object.entries(headers)) refusal.headers.set(name, value);
		return refusal;
	};

	// matching costs more than answering a page from memory: once for a request
	const routes = new WeakMap<Request, string>();
	const routeOf = (c: Context): string => {
		const { raw } = c.req;
		const route = routes.get(raw) ?? (isMatchable(raw.url) ? patternOf(c.req.path) : "?");
		routes.set(raw, route);
		return route;
	};

	/** Begins a request's part of a trace, which a proxy of ours may have begun; none for what only asks whether all is well. */
	const startSpan = (c: Context, request: string): Span | undefined => {
		if (shop.tracer === undefined || isProbe(c.req.path, 200)) return undefined;
		const { method } = c.req;
		const route = routeOf(c);
		const named = { "http.request.method": method, "http.route": route, "shop.request.id": request };
		return shop.tracer.start(`${method} ${route}`, "server", named, trustedProxies > 0 ? c.req.header("traceparent") : undefined);
	};

	app.onError(async (error, c) => {
		if (isAbortedBy(c.req.raw, error)) return new Response(null, { status: 499 });
		shop.log.error({ error: describeFault(error) }, "a request failed");
		return c.req.path.startsWith("/api/") ? apiError(500, refusals[500]) : plainRefusal(500);
	});

	app.use((c, next) => {
		const request = requestId(c.req.header("x-request-id"), trustedProxies);
		const span = startSpan(c, request);
		return inContext({ request, ...(span && { span }) }, () => next());
	});

	app.use(async (c, next) => {
		const started = performance.now();
		const { signal } = c.req.raw;
		await next();
		const { request = "", order, span } = currentContext();
		// not c.header(): on a finished answer, each call makes the whole of it anew
		const { headers } = c.res;
		for (const [name, value] of Object.entries(headersOfEveryAnswer)) {
			// what was not modified keeps the policy that it came with
			const kept = c.res.status === 304 && name === "content-security-policy";
			if (!headers.has(name) && !kept) headers.set(name, value);
		}
		headers.set("cross-origin-resource-policy", embeddable.test(c.req.path) ? "cross-origin" : "same-origin");
		headers.set("x-request-id", request);
		if (ownOrigin.startsWith("https:")) headers.set("strict-transport-security", "max-age=63072000; includeSubDomains");
		// the client left before its answer: no fault of ours (the status is nginx's)
		const status = signal.aborted || hasLeft(c) ? 499 : c.res.status;
		const security = securityEvent(c.req.path, status);
		const route = routeOf(c);
		if (security) metrics.countRefusal(security.kind);
		metrics.observeRequest({ method: c.req.method, route, status, seconds: (performance.now() - started) / 1000 });
		span?.set({ "http.response.status_code": status, ...(order && { "shop.order.id": order }) });
		span?.end(status >= 500 ? String(status) : undefined);
		if (isProbe(c.req.path, status)) return;
		const level = status >= 500 ? "error" : security ? "warn" : "info";
		if (!shop.log.isLevelEnabled(level)) return;
		shop.log[level]({ ...security, method: c.req.method, route, status, ms: Math.round(performance.now() - started) }, "request");
	});

	app.use(async (c, next) => {
		const status = findRefusal(c.req.raw, ownOrigin);
		if (status === null) return next();
		return refuse(c, status, status === 405 ? { allow: "GET, HEAD, POST" } : {});
	});

	if (metricsToken !== undefined)
		app.get("/metrics", async (c) => {
			if (!mayReadMetrics(metricsToken, c.req.header("authorization"))) {
				metrics.countRefusal("metrics");
				return c.body(null, 401, { "www-authenticate": "Bearer" });
			}
			const { text, contentType } = await metrics.write();
			return c.body(text, 200, { "content-type": contentType, "cache-control": "no-store" });
		});

	if (import.meta.env.PROD) {
		const root = resolve("build/client");
		const options = { root, precompressed: true };
		app.use("/assets/*", serveStatic({ ...options, onFound: (_path, c) => c.header("cache-control", year) }));
		app.use("*", async (c, next) => {
			// only names of files in public/ have an extension; a page never has one
			if (!/^\/[\w-]+\.(ico|svg|png|txt|webmanifest)$/.test(c.req.path)) return next();
			return serveStatic({ ...options, onFound: (_path, c) => c.header("cache-control", "public, max-age=3600") })(c, next);
		});
	}

	// a page has one address, and one place among the kept pages
	app.use(async (c, next) => {
		const { pathname, search } = new URL(c.req.url);
		if (c.req.method !== "GET" && c.req.method !== "HEAD") return next();
		const path = canonicalPath(pathname) ?? withoutOuterSlashes(pathname);
		return path === pathname ? next() : c.redirect(path + search, 301);
	});

	// in development every page is made anew
	if (import.meta.env.PROD) app.use(pageCache(shop.changes));
	app.use(sitemapCache(() => shop.now(), shop.changes));

	app.use("/api/*", async (c, next) => {
		await next();
		if (c.res.status < 400 || (await isApiError(c.res))) return;
		const { status, headers } = c.res;
		c.res = undefined; // hono would otherwise keep the page's own headers
		c.res = apiError(status, apiSentences[status] ?? refusals[500]);
		for (const name of ["allow", "retry-after"]) if (headers.has(name)) c.res.headers.set(name, headers.get(name) ?? "");
	});

	app.use(async (c, next) => {
		const taken = await limits.take(c.req.raw, routeOf(c), clientOf(c).key);
		return taken.ok ? next() : refuse(c, 429, { "retry-after": String(taken.retryAfter) });
	});
	app.use(
		bodyLimit({
			maxSize: largestBody,
			async onError(c) {
				const wasReadAway = await readAway(c.req.raw);
				return refuse(c, 413, wasReadAway ? {} : { connection: "close" });
			},
		}),
	);
	app.all("*", (c) => answer(c));
	return app;
}

const plainRefusal = (status: RefusalStatus): Response =>
	new Response(refusals[status], { status, headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } });

/** Whether a refusal is one of ours, `{error}`, and not the framework's own. */
async function isApiError(refusal: Response): Promise<boolean> {
	if (!refusal.headers.get("content-type")?.includes("json")) return false;
	const body: unknown = await refusal
		.clone()
		.json()
		.catch(() => null); // of HEAD there is none
	return typeof body === "object" && body !== null && "error" in body && typeof body.error === "string";
}

/** A path without slashes at its end, and with one at its beginning: two would name another host. The API's are as they are. */
function withoutOuterSlashes(path: string): string {
	if (!path.endsWith("/") || path.startsWith("/api/")) return path;
	let [start, end] = [0, path.length];
	while (path[start] === "/") start++;
	while (end > start && path[end - 1] === "/") end--;
	return `/${path.slice(start, end)}`;
}

/** The other end of the connection; undefined for a request that came through no socket, as in tests. */
function socketIpOf(c: Context): string | undefined {
	try {
		return getConnInfo(c).remote.address;
	} catch {
		return undefined;
	}
}

/**
 * Whether the client left before its answer. A request that broke off in its body fails before its signal says so
 * (nodejs.org/api/http.html#event-close_1).
 */
function hasLeft({ env }: Context): boolean {
	const { incoming, outgoing } = (env ?? {}) as Partial<HttpBindings>;
	return incoming?.errored != null || (outgoing?.destroyed === true && !outgoing.writableFinished);
}

/** What asks again and again whether all is well, and was told that it is: it would be a third of the log. */
const isProbe = (path: string, status: number) => path === "/metrics" || (status === 200 && (path === "/healthz" || path === "/readyz"));

/** Reads a body that is refused: a sender who is cut off never reads the answer. False when its end is not in sight. */
async function readAway({ body, headers }: Request): Promise<boolean> {
	if (body === null || body.locked || Number(headers.get("content-length")) > largestBodyReadAway) return false;
	return body.pipeTo(new WritableStream()).then(
		() => true,
		() => false,
	);
}

const headersOfEveryAnswer = {
	"x-content-type-options": "nosniff",
	"referrer-policy": "strict-origin-when-cross-origin",
	"permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
	"cross-origin-opener-policy": "same-origin",
	"x-frame-options": "DENY",
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
} as const;

const apiSentences: Record<number, string> = {
	400: "La demande est mal formée.",
	403: "Cette demande est refusée.",
	404: "Cette adresse n’existe pas.",
	405: "Cette méthode n’est pas acceptée ici.",
	413: refusals[413],
};
