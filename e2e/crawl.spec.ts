import { expect } from "@playwright/test";
import { orderFormUrl, paymentUrl } from "./flows.ts";
import { states } from "./states/page-states.ts";
import { test } from "./test.ts";

test("each indexable page has its own title and description", async ({ request }) => {
	const pathByText = new Map<string, string>();
	for (const { visit, indexable } of states) {
		if (!indexable || typeof visit !== "string" || visit.includes("q=")) continue;
		const html = await (await request.get(visit)).text();
		for (const part of [/<title>(.*?)<\/title>/, /<meta name="description" content="(.*?)"/]) {
			const text = part.exec(html)?.[1] ?? "";
			expect(text, visit).not.toBe("");
			expect(pathByText.get(text), `${visit}: ${text}`).toBeUndefined();
			pathByText.set(text, visit);
		}
	}
});

test("every link and anchor works, every page has a title and a heading, and every page of the sitemap is linked", async ({
	request,
	baseURL,
}) => {
	const site = new URL(baseURL ?? "");
	const pages = new Map<string, Set<string>>(); // the ids on each path
	const queue = [
		"/",
		"/test",
		"/recherche?q=groupe",
		"/recherche?q=zzzzqqq",
		"/entreprise/775688732",
		paymentUrl,
		orderFormUrl,
		"/confirmation",
		"/nulle-part",
	];
	const errorPages = new Set(["/confirmation", "/nulle-part"]);
	const anchors: { from: string; path: string; id: string }[] = [];
	for (let from = queue.pop(); from !== undefined; from = queue.pop()) {
		if (pages.has(from)) continue;
		const answer = await request.get(from);
		if (!errorPages.has(from)) expect(answer.status(), from).toBeLessThan(400);
		if (!answer.headers()["content-type"]?.startsWith("text/html")) {
			pages.set(from, new Set()); // security.txt
			continue;
		}
		let html = await answer.text();
		// it shows the e-mails of other tests, which may have used their links
		if (from === "/test") html = html.replace(/<details.*?<\/details>/gs, "");
		expect(html.match(/<title>[^<]+<\/title>/g), `the title of ${from}`).toHaveLength(1);
		expect(html.match(/<h1[ >]/g), `the heading of ${from}`).toHaveLength(1);
		pages.set(from, new Set([...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] ?? "")));
		for (const [, address = ""] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
			const url = new URL(address.replaceAll("&amp;", "&"), new URL(from, site));
			if (url.origin !== site.origin || /^\/(paiement|documents|bac-a-sable)\//.test(url.pathname)) continue;
			const path = url.pathname + url.search;
			// searches link to hundreds of companies and result pages, so the crawl follows only the first of them
			const isOneOfMany = /^\/(entreprise|commande)\/\d|[?&]page=/.test(path);
			if (isOneOfMany && queue.length + pages.size >= 40 && !pages.has(path)) continue;
			if (url.hash) anchors.push({ from, path, id: decodeURIComponent(url.hash.slice(1)) });
			queue.push(path);
		}
	}
	expect(pages.size).toBeGreaterThan(35);
	const map = await (await request.get("/sitemap-pages.xml")).text();
	for (const [, address = ""] of map.matchAll(/<loc>([^<]+)<\/loc>/g))
		expect(pages.has(new URL(address).pathname), `a link to ${address}`).toBe(true);
	for (const { from, path, id } of anchors) expect(pages.get(path)?.has(id), `${from} → ${path}#${id}`).toBe(true);
});
