import { acceptsEncoding } from "./accepted-encoding.ts";

/** The protocol of sitemaps, for search engines. Source: sitemaps.org, protocol 0.9. */

/** An address that a sitemap names; the day of its last change, yyyy-mm-dd, where it is known. */
export interface SitemapEntry {
	/** Whole: `https://…`. */
	address: string;
	changedOn?: string | null;
}

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A list of pages, in pieces: the head, any number of entries, the tail. */
export const pageList = {
	head: `${declaration}<urlset ${namespace}>\n`,
	entries: (entries: readonly SitemapEntry[]) => entries.map((entry) => element("url", entry)).join(""),
	tail: "</urlset>\n",
};

/** A list of sitemaps. */
export function sitemapIndex(files: readonly SitemapEntry[]): string {
	return `${declaration}<sitemapindex ${namespace}>\n${files.map((file) => element("sitemap", file)).join("")}</sitemapindex>\n`;
}

function element(name: "url" | "sitemap", { address, changedOn }: SitemapEntry): string {
	return `<${name}><loc>${escapeXml(address)}</loc>${changedOn ? `<lastmod>${changedOn}</lastmod>` : ""}</${name}>\n`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");

export const sitemapHeaders = {
	"content-type": "application/xml; charset=utf-8",
	// the register changes once a day at most, the pages with a new version of the shop
	"cache-control": "public, max-age=3600",
	vary: "accept-encoding",
} as const;

/**
 * Answers with XML, in gzip where that is accepted: the addresses of a sitemap are much alike, less than a tenth is left of them.
 * @param xml whole, or in pieces, which are taken only as fast as they leave, and no longer once the reader has gone.
 */
export function xmlResponse(request: Request, xml: string | AsyncGenerator<string>): Response {
	const headers = new Headers(sitemapHeaders);
	const zipped = acceptsEncoding(request.headers.get("accept-encoding"), "gzip");
	if (zipped) headers.set("content-encoding", "gzip");
	// a body that nobody will read is not even begun
	if (request.method === "HEAD") return new Response(null, { headers });
	const { body } = new Response(typeof xml === "string" ? xml : streamOf(xml));
	return new Response(zipped && body ? body.pipeThrough(new CompressionStream("gzip")) : body, { headers });
}

function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
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
