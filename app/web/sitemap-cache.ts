import { createGzip } from "node:zlib";
import type { MiddlewareHandler } from "hono";
import { acceptsEncoding } from "../../server/accepted-encoding.ts";
import { type Changes, publicPages } from "../../server/database/changes.ts";
import { sitemapHeaders } from "../../server/sitemap.ts";

interface KeptSitemap {
	/** In gzip: a tenth of the file. */
	zipped: Uint8Array<ArrayBuffer>;
	/** Milliseconds since 1970. */
	until: number;
}

/** The register changes once a day at most. */
const keptForMs = 10 * 60_000;

/** Bytes of all that are kept, compressed. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Keeps the sitemaps of companies in memory, compressed, each once somebody has read it whole: making one takes as long as fifty pages.
 * A reader who accepts no gzip gets it unpacked as fast as they read.
 * @param changes drops all of them when public pages change: a company that objected is in none.
 */
export function sitemapCache(now: () => Date, changes: Pick<Changes, "subscribe">): MiddlewareHandler {
	const sitemaps = new Map<string, KeptSitemap>();
	let bytes = 0;
	let drops = 0;
	changes.subscribe(publicPages, () => {
		drops++;
		bytes = 0;
		sitemaps.clear();
	});
	const remove = (path: string) => {
		bytes -= sitemaps.get(path)?.zipped.length ?? 0;
		sitemaps.delete(path);
	};
	const keep = (path: string, chunks: Uint8Array[], dropsBefore: number) => {
		if (drops !== dropsBefore) return;
		const zipped = new Uint8Array(Buffer.concat(chunks));
		remove(path);
		sitemaps.set(path, { zipped, until: now().getTime() + keptForMs });
		bytes += zipped.length;
		for (const [oldest] of sitemaps) {
			if (bytes <= mostBytes) break;
			remove(oldest);
		}
	};
	return async (c, next) => {
		const { path, method } = c.req;
		if (method !== "GET" || !/^\/sitemap-entreprises-\d+\.xml$/.test(path)) return next();
		const known = sitemaps.get(path);
		if (known && known.until > now().getTime()) {
			const { zipped } = known;
			if (acceptsEncoding(c.req.header("accept-encoding"), "gzip"))
				return new Response(zipped, { headers: { ...sitemapHeaders, "content-encoding": "gzip" } });
			return new Response(new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip")), { headers: sitemapHeaders });
		}
		const dropsBefore = drops;
		await next();
		const { body, headers, status } = c.res;
		if (status !== 200 || body === null) return;
		const isZipped = headers.get("content-encoding") === "gzip";
		c.res = new Response(body.pipeThrough(collectZipped(isZipped, (chunks) => keep(path, chunks, dropsBefore))), { headers });
	};
}

/** Passes a file on as it is, and hands over its compressed bytes once the whole of it has passed. */
function collectZipped(isZipped: boolean, done: (chunks: Uint8Array[]) => void): TransformStream<Uint8Array, Uint8Array> {
	const chunks: Uint8Array[] = [];
	const zip = createGzip();
	zip.on("data", (chunk: Uint8Array) => chunks.push(chunk)).on("end", () => done(chunks));
	return new TransformStream({
		transform(chunk, controller) {
			if (isZipped) chunks.push(chunk);
			else zip.write(chunk);
			controller.enqueue(chunk);
		},
		flush() {
			if (isZipped) done(chunks);
			else zip.end();
		},
	});
}
