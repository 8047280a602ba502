import { resolve } from "node:path";
import { getConnInfo } from "@hono/node-server/conninfo";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createRequestHandler, matchRoutes, type RouteObject, RouterContextProvider, type ServerBuild } from "react-router";
import { clientContext, databaseAwayContext, refusalContext, retryAfterContext, type Shop, shopContext } from "../app/shop.ts";
import { identifyClient } from "./client.ts";
import { apiError } from "./http.ts";
import { keepPages } from "./kept-pages.ts";
import { securityEvent } from "./security-events.ts";

/** Largest request body: forms and events are a few kilobytes. */
const largestBody = 256 * 1024;

/** Up to here, a body that is too large is read all the same, and forgotten. */
const largestBodyReadAway = 32 * 1024 * 1024;

const year = "public, max-age=31536000, immutable";

/**
 * The web front of the shop: static files, limits and headers here; pages and API from app/routes.ts.
 * @returns an app whose `fetch` answers one request.
 */
export async function createWeb(shop: Shop): Promise<Hono> {
	const framework: ServerBuild = await import("virtual:react-router/server-build");
	// behind a proxy the request's own origin is not the one that the browser names
	const ownHost = new URL(shop.environment.baseUrl).host;
	const build = { ...framework, allowedActionOrigins: [ownHost] };
	const handle = createRequestHandler(build, import.meta.env.MODE);
	const patterns = routePatterns(build);
	const app = new Hono();

	app.use(async (c, next) => {
		const started = performance.now();
		await next();
		// not c.header(): on a finished answer, each call makes the whole of it anew
		const { headers, status } = c.res;
		for (const [name, value] of Object.entries(headersOfEveryAnswer)) {
			// what was not modified keeps the policy that it came with
			const kept = status === 304 && name === "content-security-policy";
			if (!headers.has(name) && !kept) headers.set(name, value);
		}
		if (shop.environment.baseUrl.startsWith("https://")) headers.set("strict-transport-security", "max-age=63072000; includeSubDomains");
		const security = securityEvent(c.req.path, status);
		const level = status >= 500 ? "error" : security ? "warn" : "info";
		if (!shop.log.isLevelEnabled(level)) return;
		const route = isReadable(c.req.url) ? patterns(c.req.path) : "?";
		shop.log[level]({ ...security, method: c.req.method, route, status, ms: Math.round(performance.now() - started) }, "request");
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

	// a page has one address
	app.use(async (c, next) => {
		const { pathname, search } = new URL(c.req.url);
		const reads = c.req.method === "GET" || c.req.method === "HEAD";
		if (!reads || pathname === "/" || !pathname.endsWith("/") || pathname.startsWith("/api/")) return next();
		// two slashes at the beginning would name another host
		return c.redirect(`/${pathname.replace(/^\/+|\/+$/g, "")}${search}`, 301);
	});

	// in development every page is made anew
	if (import.meta.env.PROD) app.use(keepPages(shop.changes));

	app.use("/api/*", async (c, next) => {
		await next();
		if (c.res.status >= 400 && !(await saysWhy(c.res))) {
			const { status } = c.res;
			c.res = undefined; // hono would otherwise keep the page's own headers
			c.res = Response.json({ error: apiSentences[status] ?? apiSentences[500] }, { status, headers: { "cache-control": "no-store" } });
		}
	});

	const answer = async (c: Context, refusal?: { status: number; sentence: string }): Promise<Response> => {
		const context = new RouterContextProvider();
		context.set(shopContext, shop);
		context.set(clientContext, identifyClient(socketIpOf(c), c.req.header("x-forwarded-for"), shop.environment.trustedProxies));
		context.set(refusalContext, refusal);
		// a refusal is drawn at an address that is sure to be readable, and that no page has
		const response = await handle(
			refusal ? new Request(new URL("/refus", c.req.url), { headers: { accept: "text/html" } }) : c.req.raw,
			context,
		);
		const retryAfter = context.get(retryAfterContext);
		if (retryAfter !== null) response.headers.set("retry-after", String(retryAfter));
		if (response.status < 500 || !context.get(databaseAwayContext)) return response;
		// the data of a page stay as the framework wrote them
		const away = c.req.path.endsWith(".data")
			? new Response(response.body, { status: 503, headers: response.headers })
			: await refuse(c, 503);
		away.headers.set("retry-after", "5");
		return away;
	};
	const refuse = (c: Context, status: keyof typeof refusals) =>
		c.req.path.startsWith("/api/") ? apiError(status, refusals[status]) : answer(c, { status, sentence: refusals[status] });
	app.use(async (c, next) => {
		if (!isReadable(c.req.url)) return refuse(c, 400);
		return comesFromElsewhere(c.req.raw, ownHost) ? refuse(c, 403) : next();
	});
	app.use(
		bodyLimit({
			maxSize: largestBody,
			async onError(c) {
				const wasReadAway = await readAway(c.req.raw);
				const refusal = await refuse(c, 413);
				if (!wasReadAway) refusal.headers.set("connection", "close");
				return refusal;
			},
		}),
	);
	app.all("*", (c) => answer(c));
	return app;
}

/** Whether a refusal is one of ours, `{error}`, and not the framework's own. */
async function saysWhy(refusal: Response): Promise<boolean> {
	if (!refusal.headers.get("content-type")?.includes("json")) return false;
	return typeof (await refusal.clone().json()).error === "string";
}

/** The other end of the connection; undefined for a request that came through no socket, as in tests. */
function socketIpOf(c: Context): string | undefined {
	try {
		return getConnInfo(c).remote.address;
	} catch {
		return undefined;
	}
}

/** Reads a body that is refused: a sender who is cut off never reads the answer. False when its end is not in sight. */
async function readAway({ body, headers }: Request): Promise<boolean> {
	if (body === null || body.locked || Number(headers.get("content-length")) > largestBodyReadAway) return false;
	return body.pipeTo(new WritableStream()).then(
		() => true,
		() => false,
	);
}

/** Whether an address can be decoded, and has no NUL in it: no text of ours has one, and PostgreSQL takes none. */
function isReadable(address: string): boolean {
	try {
		decodeURIComponent(new URL(address).pathname);
	} catch {
		return false;
	}
	return !address.includes("%00");
}

/** Whether the page of another site sends this: it may not act here. The framework refuses it too, but reports it as a fault of ours. */
function comesFromElsewhere(request: Request, ownHost: string): boolean {
	const origin = request.headers.get("origin");
	if (origin === null || request.method === "GET" || request.method === "HEAD") return false;
	return !URL.canParse(origin) || (new URL(origin).host !== ownHost && origin !== new URL(request.url).origin);
}

/** What is refused before any route sees it, or because no route can answer it now. */
const refusals = {
	400: "L’adresse demandée est mal formée.",
	403: "Cette demande vient d’un autre site : elle est refusée.",
	413: "Votre envoi est trop volumineux.",
	503: "Notre base de données ne répond pas pour le moment. Réessayez dans un instant.",
} as const;

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
	413: "Votre envoi est trop volumineux.",
	500: "Une erreur est survenue de notre côté. Réessayez dans un instant.",
};

/** Path → its route's pattern: what a log may say of a request. */
function routePatterns(build: ServerBuild): (path: string) => string {
	const routes = Object.values(build.routes);
	const below = (parentId?: string): RouteObject[] =>
		routes
			.filter((route) => route !== undefined && route.parentId === parentId)
			.map(
				(route) =>
					({
						id: route?.id,
						path: route?.path,
						...(route?.index ? { index: true as const } : { children: below(route?.id) }),
					}) as RouteObject,
			);
	const [root] = below();
	return (path) => {
		// the framework asks for a page's data at its path with an ending
		const page = path.replace(/(\/_root)?\.data$/, "") || "/";
		// matching ranks its whole table anew each time: it gets only what can match
		const first = page.split("/")[1];
		const children = root?.children?.filter((route) => /^[*:]/.test(route.path ?? "") || (route.path ?? "").split("/")[0] === first);
		return `/${(matchRoutes([{ ...root, children } as RouteObject], page) ?? [])
			.map((match) => match.route.path)
			.filter(Boolean)
			.join("/")}`;
	};
}
