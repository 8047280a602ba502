import type { MiddlewareHandler } from "hono";
import { acceptsEncoding } from "../../server/accepted-encoding.ts";
import { type Changes, publicPagesSubject } from "../../server/database/changes.ts";

interface CachedPage {
	body: ArrayBuffer;
	headers: [string, string][];
	etag: string;
	/** On the clock of performance.now(), in milliseconds. */
	expiresAt: number;
}

/** There are fewer pages than this; arbitrary URLs must not fill the memory. */
const maxPages = 300;

/**
 * Caches public pages in memory, one entry per encoding, as a shared cache does (RFC 9111). Only responses with `s-maxage` and an ETag
 * are cached; requests with a query and responses with a cookie never are. A matching If-None-Match is answered with 304.
 * @param changes clears the cache when public pages change, and after a lost connection, which may have missed a change.
 */
export function pageCache(changes: Pick<Changes, "subscribe">): MiddlewareHandler {
	const pages = new Map<string, CachedPage>();
	let clearings = 0;
	changes.subscribe(publicPagesSubject, () => {
		clearings++;
		pages.clear();
	});
	return async (c, next) => {
		const { method, url } = c.req;
		if ((method !== "GET" && method !== "HEAD") || url.includes("?")) return next();
		const key = `${c.req.path} ${encodingFor(c.req.header("accept-encoding"))}`;
		const cached = pages.get(key);
		if (cached && cached.expiresAt > performance.now()) {
			// the pages of companies are many: those that are read again stay
			pages.delete(key);
			pages.set(key, cached);
			const isUnchanged = c.req.header("if-none-match")?.includes(cached.etag) === true;
			return new Response(isUnchanged ? null : cached.body, { status: isUnchanged ? 304 : 200, headers: cached.headers });
		}
		const clearingsBefore = clearings;
		await next();
		const seconds = Number(/\bs-maxage=(\d+)/.exec(c.res.headers.get("cache-control") ?? "")?.[1] ?? 0);
		const etag = c.res.headers.get("etag");
		if (method !== "GET" || c.res.status !== 200 || seconds === 0 || etag === null || c.res.headers.has("set-cookie")) return;
		const headers = [...c.res.headers];
		const body = await c.res.arrayBuffer();
		c.res = new Response(body, { headers });
		// the page was rendered before the change
		if (clearings !== clearingsBefore) return;
		pages.delete(key);
		pages.set(key, { body, headers, etag, expiresAt: performance.now() + seconds * 1000 });
		const [oldest] = pages.keys();
		if (pages.size > maxPages && oldest !== undefined) pages.delete(oldest);
	};
}

/** Chooses the encoding of a page from those that the browser accepts. */
export function encodingFor(accepted = ""): "br" | "gzip" | "identity" {
	return acceptsEncoding(accepted, "br") ? "br" : acceptsEncoding(accepted, "gzip") ? "gzip" : "identity";
}
