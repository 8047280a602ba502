import { resolve } from "node:path";
import { getConnInfo } from "@hono/node-server/conninfo";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { ServerBuild } from "react-router";
import { identifyClient } from "../../server/client.ts";
import { describeFault } from "../../server/observability/log.ts";
import { type Metrics, mayReadMetrics } from "../../server/observability/metrics.ts";
import { currentContext } from "../../server/observability/request-context.ts";
import { hasDesk } from "../catalogue/settings/has-desk.store.server.ts";
import type { Shop } from "../shop.ts";
import { boundBodies } from "./bounded-body.ts";
import { apiError, isAbortedBy } from "./http.ts";
import { identifyRequests, recordRequests } from "./observe-requests.ts";
import { pageCache } from "./page-cache.ts";
import { createReadLimits } from "./read-limits.ts";
import { describeBodyRefusal, findRefusal, isMatchable, listManifestPaths, refusals } from "./refusals.ts";
import { createResponder, plainRefusal } from "./responder.ts";
import { createRoutePatterns, getPagePath, type MatchedRoute, type RoutePatterns } from "./route-patterns.ts";
import { sitemapCache } from "./sitemap-cache.ts";

/**
 * Creates the web front of the shop: static files, limits and headers are handled here, pages and API by app/routes.ts.
 * @returns an app whose `fetch` answers one request.
 */
export async function createWeb(shop: Shop): Promise<Hono> {
	const framework: ServerBuild = await import("virtual:react-router/server-build");
	const { baseUrl, deskUrl, deskHost, trustedProxies, metricsToken } = shop.environment;
	const { host, origin } = new URL(baseUrl);
	const desk = new URL(deskUrl);
	// behind a proxy, the request's own origin differs from the one that browsers send
	const build = { ...framework, allowedActionOrigins: [host, desk.host] };
	const getClient = (c: Context) => identifyClient(findSocketIp(c), c.req.header("x-forwarded-for"), trustedProxies);
	const patterns = createRoutePatterns(build);
	const getMatch = createRouteLookup(patterns);
	const getRoute = (c: Context) => getMatch(c).pattern;
	// unknown addresses of the API too
	const isApi = (c: Context) => /^\/+api(\/|$)/i.test(c.req.path);
	const { respond, refuse } = createResponder(shop, build, { getClient, isApi });
	const readLimits = createReadLimits(shop.environment.readLimits);
	const app = new Hono();

	app.onError(async (error, c) => {
		if (isAbortedBy(c.req.raw, error)) return new Response(null, { status: 499 });
		shop.log.error({ error: describeFault(error) }, "a request failed");
		return isApi(c) ? apiError(500, refusals[500]) : plainRefusal(500);
	});
	app.use(identifyRequests(shop, getRoute));
	app.use(recordRequests(shop, getRoute));
	app.use(addSecurityHeaders(origin.startsWith("https:")));
	app.use(async (c, next) => {
		const status = findRefusal(c.req.raw, c.req.header("host") === deskHost ? desk.origin : origin);
		if (status === null) return next();
		return refuse(c, status, { headers: status === 405 ? { allow: "GET, HEAD, POST" } : {} });
	});
	app.use("/__manifest", hideDesk(shop, patterns));
	if (metricsToken !== undefined) app.get("/metrics", serveMetrics(metricsToken, shop.metrics));
	if (import.meta.env.PROD) serveFiles(app);
	app.use(redirectToCanonicalPath(patterns, getMatch, isApi));
	// in development, every page is rendered anew
	if (import.meta.env.PROD) app.use(pageCache(shop.changes));
	app.use(sitemapCache(() => shop.now(), shop.changes));
	app.use((c, next) => (isApi(c) ? replaceFrameworkErrors(c, next) : next()));
	app.use(async (c, next) => {
		const result = await readLimits.take(c.req.raw, getRoute(c), getClient(c).key);
		return result.ok ? next() : refuse(c, 429, { headers: { "retry-after": String(result.retryAfter) } });
	});
	app.use(
		boundBodies(getRoute, (c, refused) => {
			const { status, sentence } = describeBodyRefusal(refused);
			return refuse(c, status, { headers: refused.isRead ? {} : { connection: "close" }, sentence });
		}),
	);
	app.all("*", (c) => respond(c));
	return app;
}

/** The framework names the scripts of any page to any browser: those of the desk only where the desk is open. */
function hideDesk({ db, environment: { deskHost } }: Shop, { match }: RoutePatterns): MiddlewareHandler {
	return async (c, next) => {
		const isAboutDesk = listManifestPaths(c.req.url).some((path) =>
			/^\/bureau\b/.test(match(path.startsWith("/") ? path : `/${path}`).pattern),
		);
		const isHere = deskHost === undefined || c.req.header("host") === deskHost;
		if (isAboutDesk && !(isHere && (await hasDesk(db)))) return c.body(null, 404);
		await next();
	};
}

/** Matching a route costs more than sending a cached page, so each request is matched once. */
function createRouteLookup({ match }: RoutePatterns): (c: Context) => MatchedRoute {
	const routes = new WeakMap<Context, MatchedRoute>();
	return (c) => {
		const { url } = c.req;
		const route = routes.get(c) ?? (isMatchable(url) ? match(new URL(url).pathname) : { pattern: "?", canonicalPath: null });
		routes.set(c, route);
		return route;
	};
}

function serveMetrics(token: string, metrics: Metrics): MiddlewareHandler {
	return async (c) => {
		if (!mayReadMetrics(token, c.req.header("authorization"))) {
			metrics.countRefusal("metrics");
			return c.body(null, 401, { "www-authenticate": "Bearer" });
		}
		const { text, contentType } = await metrics.write();
		return c.body(text, 200, { "content-type": contentType, "cache-control": "no-store" });
	};
}

function serveFiles(app: Hono): void {
	const root = resolve("build/client");
	const serve = (cacheControl: string) =>
		serveStatic({ root, precompressed: true, onFound: (_path, c) => c.header("cache-control", cacheControl) });
	app.use("/assets/*", serve("public, max-age=31536000, immutable"));
	const servePublicFile = serve("public, max-age=3600");
	// files in public/ have these extensions, and pages have none
	app.use("*", (c, next) => (/^\/[\w-]+\.(ico|svg|png|txt|webmanifest)$/.test(c.req.path) ? servePublicFile(c, next) : next()));
}

/** A page has one URL: other spellings of it redirect. Unknown addresses lose their outer slashes, but for those of the API. */
function redirectToCanonicalPath(
	{ match }: RoutePatterns,
	getMatch: (c: Context) => MatchedRoute,
	isApi: (c: Context) => boolean,
): MiddlewareHandler {
	return async (c, next) => {
		const { pathname, search } = new URL(c.req.url);
		const isData = getPagePath(pathname) !== pathname;
		if (isData || (c.req.method !== "GET" && c.req.method !== "HEAD")) return next();
		const plain = `/${pathname.split("/").filter(Boolean).join("/")}`;
		const { canonicalPath } = plain === pathname ? getMatch(c) : match(plain);
		const path = canonicalPath ?? (isApi(c) ? pathname : withoutOuterSlashes(pathname));
		return path === pathname ? next() : c.redirect(path + search, 301);
	};
}

/** Replaces errors that the framework renders for /api/ by the API's JSON. */
const replaceFrameworkErrors: MiddlewareHandler = async (c, next) => {
	await next();
	if (c.res.status < 400 || (await isApiError(c.res))) return;
	const { status, headers } = c.res;
	c.res = undefined; // otherwise Hono would merge the headers of the page
	c.res = apiError(status, apiSentences[status] ?? refusals[500]);
	for (const name of ["allow", "retry-after"]) if (headers.has(name)) c.res.headers.set(name, headers.get(name) ?? "");
};

/** Whether an error has the API's form, `{error}`. */
async function isApiError(response: Response): Promise<boolean> {
	if (!response.headers.get("content-type")?.includes("json")) return false;
	const body: { error?: unknown } | null = await response
		.clone()
		.json()
		.catch(() => null); // a response to HEAD has no body
	return typeof body?.error === "string";
}

/** Removes trailing slashes, and then leading ones but one, because two would name another host. */
function withoutOuterSlashes(path: string): string {
	if (!path.endsWith("/")) return path;
	let [start, end] = [0, path.length];
	while (path[start] === "/") start++;
	while (end > start && path[end - 1] === "/") end--;
	return `/${path.slice(start, end)}`;
}

/** Returns the IP address at the other end of the connection; undefined without a socket, as in tests. */
function findSocketIp(c: Context): string | undefined {
	try {
		return getConnInfo(c).remote.address;
	} catch {
		return undefined;
	}
}

const apiSentences: Record<number, string> = {
	400: "La demande est mal formée.",
	403: "Cette demande est refusée.",
	404: "Cette adresse n’existe pas.",
	405: "Cette méthode n’est pas acceptée ici.",
	408: refusals[408],
	413: refusals[413],
};

const defaultHeaders = {
	"x-content-type-options": "nosniff",
	"referrer-policy": "strict-origin-when-cross-origin",
	"permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
	"cross-origin-opener-policy": "same-origin",
	"x-frame-options": "DENY",
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
} as const;

/** Icons and preview pictures, which other sites may embed. */
const embeddable = /^\/(apercu(\/[^?]*)?|[\w-]+)\.(ico|svg|png)$/;

/** Adds the security headers, and the request's id, to every response. */
function addSecurityHeaders(isHttps: boolean): MiddlewareHandler {
	return async (c, next) => {
		await next();
		// not c.header(), which copies a finished response at each call
		const { headers } = c.res;
		for (const [name, value] of Object.entries(defaultHeaders)) {
			// with 304, the browser's copy keeps its own policy
			const keepsPolicy = c.res.status === 304 && name === "content-security-policy";
			if (!headers.has(name) && !keepsPolicy) headers.set(name, value);
		}
		headers.set("cross-origin-resource-policy", embeddable.test(c.req.path) ? "cross-origin" : "same-origin");
		headers.set("x-request-id", currentContext().request ?? "");
		if (isHttps) headers.set("strict-transport-security", "max-age=63072000; includeSubDomains");
	};
}
