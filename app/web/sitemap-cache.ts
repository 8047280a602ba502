import { createGzip } from "node:zlib";
import type { MiddlewareHandler } from "hono";
import { acceptsEncoding } from "../../server/accepted-encoding.ts";
import { type Changes, publicPagesSubject } from "../../server/database/changes.ts";
import { sitemapHeaders } from "../../server/sitemap.ts";

interface CachedSitemap {
	/** In gzip. */
	gzipped: Uint8Array<ArrayBuffer>;
	/** Unix time in milliseconds. */
	expiresAt: number;
}

/** The register changes once a day. */
const maxAgeMs = 10 * 60_000;

/** In bytes, compressed. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Caches the sitemaps of companies in memory, compressed, after the first complete read: generating one takes as long as fifty pages.
 * Clients that do not accept gzip get a stream of the uncompressed file.
 * @param changes clears the cache when public pages change, for example when a company objects.
 */
export function sitemapCache(now: () => Date, changes: Pick<Changes, "subscribe">): MiddlewareHandler {
	const sitemaps = new Map<string, CachedSitemap>();
	let bytes = 0;
	let clearings = 0;
	changes.subscribe(publicPagesSubject, () => {
		clearings++;
		bytes = 0;
		sitemaps.clear();
	});
	const remove = (path: string) => {
		bytes -= sitemaps.get(path)?.gzipped.length ?? 0;
		sitemaps.delete(path);
	};
	const store = (path: string, chunks: Uint8Array[], clearingsBefore: number) => {
		if (clearings !== clearingsBefore) return;
		const gzipped = new Uint8Array(Buffer.concat(chunks));
		remove(path);
		sitemaps.set(path, { gzipped, expiresAt: now().getTime() + maxAgeMs });
		bytes += gzipped.length;
		for (const [oldest] of sitemaps) {
			if (bytes <= maxBytes) break;
			remove(oldest);
		}
	};
	return async (c, next) => {
		const { path, method } = c.req;
		if (method !== "GET" || !/^\/sitemap-entreprises-\d+\.xml$/.test(path)) return next();
		const cached = sitemaps.get(path);
		if (cached && cached.expiresAt > now().getTime()) {
			const { gzipped } = cached;
			if (acceptsEncoding(c.req.header("accept-encoding"), "gzip"))
				return new Response(gzipped, { headers: { ...sitemapHeaders, "content-encoding": "gzip" } });
			return new Response(new Blob([gzipped]).stream().pipeThrough(new DecompressionStream("gzip")), { headers: sitemapHeaders });
		}
		const clearingsBefore = clearings;
		await next();
		const { body, headers, status } = c.res;
		if (status !== 200 || body === null) return;
		const isGzipped = headers.get("content-encoding") === "gzip";
		c.res = new Response(body.pipeThrough(collectGzipped(isGzipped, (chunks) => store(path, chunks, clearingsBefore))), { headers });
	};
}

/** Passes a file through unchanged, and calls `done` with its compressed bytes at the end. */
function collectGzipped(isGzipped: boolean, onComplete: (chunks: Uint8Array[]) => void): TransformStream<Uint8Array, Uint8Array> {
	const chunks: Uint8Array[] = [];
	const gzip = createGzip();
	gzip.on("data", (chunk: Uint8Array) => chunks.push(chunk)).on("end", () => onComplete(chunks));
	return new TransformStream({
		transform(chunk, controller) {
			if (isGzipped) chunks.push(chunk);
			else gzip.write(chunk);
			controller.enqueue(chunk);
		},
		flush() {
			if (isGzipped) onComplete(chunks);
			else gzip.end();
		},
	});
}
