import type { MiddlewareHandler } from "hono";
import { acceptsEncoding } from "../../server/accepted-encoding.ts";
import { type Changes, publicPages } from "../../server/database/changes.ts";

interface Kept {
	body: ArrayBuffer;
	headers: [string, string][];
	etag: string;
	/** On the clock of performance.now(), in milliseconds. */
	until: number;
}

/** Pages are few; what has an address without end must not fill the memory. */
const mostPages = 300;

/**
 * Keeps finished public pages in memory and answers with them, as a shared cache does (RFC 9111): pages that an answer's `s-maxage` lets
 * be kept, for so many seconds, each once per encoding. Asked with the ETag it has, a page is answered 304.
 * What depends on a query is never kept, nor what gives a browser a cookie of its own.
 * @param changes drops all pages when public pages change, and after a lost connection, as such news may have been missed.
 */
export function pageCache(changes: Pick<Changes, "subscribe">): MiddlewareHandler {
	const pages = new Map<string, Kept>();
	let drops = 0;
	changes.subscribe(publicPages, () => {
		drops++;
		pages.clear();
	});
	return async (c, next) => {
		const { method, url } = c.req;
		if ((method !== "GET" && method !== "HEAD") || url.includes("?")) return next();
		const key = `${c.req.path} ${encodingFor(c.req.header("accept-encoding"))}`;
		const kept = pages.get(key);
		if (kept && kept.until > performance.now()) {
			const isKnown = c.req.header("if-none-match")?.includes(kept.etag) === true;
			return new Response(isKnown ? null : kept.body, { status: isKnown ? 304 : 200, headers: kept.headers });
		}
		const dropsBefore = drops;
		await next();
		const seconds = Number(/\bs-maxage=(\d+)/.exec(c.res.headers.get("cache-control") ?? "")?.[1] ?? 0);
		const etag = c.res.headers.get("etag");
		if (method !== "GET" || c.res.status !== 200 || seconds === 0 || etag === null || c.res.headers.has("set-cookie")) return;
		const headers = [...c.res.headers];
		const body = await c.res.arrayBuffer();
		c.res = new Response(body, { headers });
		// made from what was true before the change
		if (drops !== dropsBefore) return;
		pages.delete(key);
		pages.set(key, { body, headers, etag, until: performance.now() + seconds * 1000 });
		const [oldest] = pages.keys();
		if (pages.size > mostPages && oldest !== undefined) pages.delete(oldest);
	};
}

/** The encoding that a page is made in for this browser: what it accepts, of those that pages come in. */
export function encodingFor(accepted = ""): "br" | "gzip" | "identity" {
	return acceptsEncoding(accepted, "br") ? "br" : acceptsEncoding(accepted, "gzip") ? "gzip" : "identity";
}
