import { acceptsEncoding } from "./accepted-encoding.ts";

/** The protocol of sitemaps, for search engines. Source: sitemaps.org, protocol 0.9. */

export interface SitemapEntry {
	/** Absolute: `https://…`. */
	url: string;
	/** The day of the last change, yyyy-mm-dd. */
	changedOn?: string | null;
}

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A list of pages in three parts: the head, any number of entries, the tail. */
export const urlSet = {
	head: `${declaration}<urlset ${namespace}>\n`,
	entries: (entries: readonly SitemapEntry[]) => entries.map((entry) => element("url", entry)).join(""),
	tail: "</urlset>\n",
};

/** A list of sitemaps. */
export function sitemapIndex(files: readonly SitemapEntry[]): string {
	return `${declaration}<sitemapindex ${namespace}>\n${files.map((file) => element("sitemap", file)).join("")}</sitemapindex>\n`;
}

function element(name: "url" | "sitemap", { url, changedOn }: SitemapEntry): string {
	return `<${name}><loc>${escapeXml(url)}</loc>${changedOn ? `<lastmod>${changedOn}</lastmod>` : ""}</${name}>\n`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");

export const sitemapHeaders = {
	"content-type": "application/xml; charset=utf-8",
	// the register changes once a day, the pages with a new version of the shop
	"cache-control": "public, max-age=3600",
	vary: "accept-encoding",
} as const;

/**
 * Responds with XML, in gzip if the client accepts it: similar URLs compress to less than a tenth.
 * @param xml a text, or a generator that is read only as fast as the client reads, and not after the client has left.
 */
export function xmlResponse(request: Request, xml: string | AsyncGenerator<string>): Response {
	const headers = new Headers(sitemapHeaders);
	const gzipped = acceptsEncoding(request.headers.get("accept-encoding"), "gzip");
	if (gzipped) headers.set("content-encoding", "gzip");
	// a response to HEAD has no body
	if (request.method === "HEAD") return new Response(null, { headers });
	const { body } = new Response(typeof xml === "string" ? xml : toStream(xml));
	return new Response(gzipped && body ? body.pipeThrough(new CompressionStream("gzip")) : body, { headers });
}

function toStream(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	return new ReadableStream(
		{
			async pull(controller) {
				const { value, done } = await pieces.next();
				if (done) controller.close();
				else controller.enqueue(encoder.encode(value));
			},
			async cancel() {
				await pieces.return(undefined);
			},
		},
		{ highWaterMark: 0 },
	);
}
