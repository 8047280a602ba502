import { expect, test } from "@playwright/test";
import { states } from "./page-states.ts";
import { order, payment } from "./ways.ts";

test("every page that is described has a title and a description of its own", async ({ request }) => {
	const said = new Map<string, string>();
	for (const { reach, described } of states) {
		if (!described || typeof reach !== "string" || reach.includes("q=")) continue;
		const html = await (await request.get(reach)).text();
		for (const part of [/<title>(.*?)<\/title>/, /<meta name="description" content="(.*?)"/]) {
			const text = part.exec(html)?.[1] ?? "";
			expect(text, reach).not.toBe("");
			expect(said.get(text), `${reach}: ${text}`).toBeUndefined();
			said.set(text, reach);
		}
	}
});

test("no link of the site leads nowhere, no page is without a name, and none that search engines are told of is left alone", async ({
	request,
	baseURL,
}) => {
	const site = new URL(baseURL ?? "");
	const pages = new Map<string, Set<string>>(); // path → the ids that stand on it
	const waiting = [
		"/",
		"/test",
		"/recherche?q=groupe",
		"/recherche?q=zzzzqqq",
		"/entreprise/775688732",
		payment,
		order,
		"/confirmation",
		"/nulle-part",
	];
	const unknown = new Set(["/confirmation", "/nulle-part"]);
	const anchors: { from: string; path: string; id: string }[] = [];
	for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
		if (pages.has(from)) continue;
		const answer = await request.get(from);
		if (!unknown.has(from)) expect(answer.status(), from).toBeLessThan(400);
		if (!answer.headers()["content-type"]?.startsWith("text/html")) {
			pages.set(from, new Set()); // security.txt
			continue;
		}
		const html = await answer.text();
		expect(html.match(/<title>[^<]+<\/title>/g), `the title of ${from}`).toHaveLength(1);
		expect(html.match(/<h1[ >]/g), `the heading of ${from}`).toHaveLength(1);
		pages.set(from, new Set([...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] ?? "")));
		for (const [, address = ""] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
			const url = new URL(address.replaceAll("&amp;", "&"), new URL(from, site));
			if (url.origin !== site.origin || /^\/(paiement|documents|bac-a-sable)\//.test(url.pathname)) continue;
			const path = url.pathname + url.search;
			if (url.hash) anchors.push({ from, path, id: decodeURIComponent(url.hash.slice(1)) });
			// a search leads to hundreds of companies and pages: one of each kind is enough
			const isOneOfMany = /^\/(entreprise|commande)\/|[?&]page=/.test(path);
			if (!isOneOfMany || waiting.length + pages.size < 40) waiting.push(path);
		}
	}
	expect(pages.size).toBeGreaterThan(35);
	const map = await (await request.get("/sitemap-pages.xml")).text();
	for (const [, address = ""] of map.matchAll(/<loc>([^<]+)<\/loc>/g))
		expect(pages.has(new URL(address).pathname), `a link to ${address}`).toBe(true);
	for (const { from, path, id } of anchors) expect(pages.get(path)?.has(id), `${from} → ${path}#${id}`).toBe(true);
});
