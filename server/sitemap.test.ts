import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { sitemapIndex, urlSet, xmlResponse } from "./sitemap.ts";

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

test("lists are those of the protocol: escaped addresses, and a day only where it is known", () => {
	const entries = [
		{ url: `https://a.example/?a=1&b=<">'`, changedOn: "2026-11-27" },
		{ url: "https://a.example/b", changedOn: null },
		{ url: "https://a.example/c" },
	];
	const list = (name: string) =>
		`<${name}><loc>https://a.example/?a=1&amp;b=&lt;&quot;&gt;&apos;</loc><lastmod>2026-11-27</lastmod></${name}>\n` +
		`<${name}><loc>https://a.example/b</loc></${name}>\n<${name}><loc>https://a.example/c</loc></${name}>\n`;
	expect(urlSet.head + urlSet.entries(entries) + urlSet.tail).toBe(`${declaration}<urlset ${namespace}>\n${list("url")}</urlset>\n`);
	expect(sitemapIndex(entries)).toBe(`${declaration}<sitemapindex ${namespace}>\n${list("sitemap")}</sitemapindex>\n`);
});

/** @param pulled receives each piece that was read, and « end » when the generator was closed. */
async function* generate(pieces: readonly string[], pulled: string[] = []): AsyncGenerator<string> {
	try {
		for (const piece of pieces) {
			pulled.push(piece);
			yield piece;
		}
	} finally {
		pulled.push("end");
	}
}

const request = (acceptEncoding: string, method = "GET") =>
	new Request("https://a.example/sitemap.xml", { method, headers: { "accept-encoding": acceptEncoding } });

test.each<[string, () => string | AsyncGenerator<string>]>([
	["a text", () => "<é/><b/>"],
	["a generator", () => generate(["<é/>", "<b/>"])],
])("%s is sent as XML, in gzip if the client accepts it", async (_what, xml) => {
	const headers = { "content-type": "application/xml; charset=utf-8", "cache-control": "public, max-age=3600", vary: "accept-encoding" };
	const plain = xmlResponse(request("br"), xml());
	expect(Object.fromEntries(plain.headers)).toEqual(headers);
	expect(await plain.text()).toBe("<é/><b/>");
	const gzipped = xmlResponse(request("br, gzip"), xml());
	expect(Object.fromEntries(gzipped.headers)).toEqual({ ...headers, "content-encoding": "gzip" });
	expect(gunzipSync(await gzipped.arrayBuffer()).toString()).toBe("<é/><b/>");
});

test("a response to HEAD has the same headers and reads nothing", async () => {
	const pulled: string[] = [];
	const answer = xmlResponse(request("gzip", "HEAD"), generate(["<a/>"], pulled));
	expect(answer.headers.get("content-encoding")).toBe("gzip");
	expect([answer.body, pulled]).toEqual([null, []]);
});

test("a generator is read only as fast as the client reads, and closed when the client leaves", async () => {
	const pulled: string[] = [];
	const reader = xmlResponse(request(""), generate(["<a/>", "<b/>", "<c/>"], pulled)).body?.getReader();
	expect(pulled).toEqual([]);
	await reader?.read();
	expect(pulled).toEqual(["<a/>"]);
	await reader?.cancel();
	expect(pulled).toEqual(["<a/>", "end"]);
});
