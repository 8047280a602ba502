import { once } from "node:events";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyPartWorks, untilReadyzAnswers } from "../../test/readiness.ts";
import { createTestShop, paymentRequest, type TestShop } from "../../test/shop.ts";

let shop: TestShop;
let stylesheet = "";
beforeAll(async () => {
	shop = await createTestShop();
	stylesheet = /\/assets\/[\w.-]+\.css/.exec(await (await shop.ask("/")).text())?.[0] ?? "";
});
afterAll(() => shop?.close());

const plainPages = ["/tarifs", "/cgv", "/politique-confidentialite", "/nulle-part"];
const pagesWithScripts = ["/commande"];

describe("security headers", () => {
	const answers: [string, number, () => Promise<Response>][] = [
		["a page without scripts", 200, () => shop.ask("/cgv")],
		["a page with scripts", 200, () => shop.ask("/commande")],
		["JSON", 200, () => shop.ask("/api/entreprises?q=danone")],
		["an error in JSON", 404, () => shop.ask("/api/entreprises/999999999")],
		["a static file", 200, () => shop.ask(stylesheet)],
		["an icon", 200, () => shop.ask("/favicon.svg")],
		["a preview picture", 200, () => shop.ask("/apercu/tarifs.png")],
		["a page that does not exist", 404, () => shop.ask("/nulle-part")],
		["a static file that does not exist", 404, () => shop.ask("/assets/nothing.js")],
		["a permanent redirect", 301, () => shop.ask("/old-commande")],
		["a redirect", 302, () => shop.ask("/paiement")],
		["a page that was not modified", 304, async () => shop.ask("/", { headers: { "if-none-match": await fetchEtag("/") } })],
		["a body too large", 413, () => shop.postForm("/suivi-commande", { email: "a".repeat(300_000) })],
		["another site's form", 403, () => shop.postForm("/suivi-commande", {}, { origin: "https://elsewhere.example" })],
		["a malformed URL", 400, () => shop.ask("/%E0%A4%A")],
		["a refused method", 405, () => shop.ask("/cgv", { method: "DELETE" })],
		["a long URL", 414, () => shop.ask(`/${"a".repeat(3000)}`)],
		["the health check", 200, () => shop.ask("/healthz")],
	];

	test.each(answers)("%s (%i)", async (what, status, ask) => {
		const answer = await ask();
		expect(answer.status).toBe(status);
		expect(Object.fromEntries(answer.headers)).toMatchObject({
			"x-content-type-options": "nosniff",
			"x-frame-options": "DENY",
			"referrer-policy": expect.stringMatching(/^strict-origin/),
			"permissions-policy": expect.stringContaining("camera=()"),
			"cross-origin-opener-policy": "same-origin",
			"cross-origin-resource-policy": /icon|picture/.test(what) ? "cross-origin" : "same-origin",
			"content-security-policy": expect.stringMatching(/default-src 'none';.*frame-ancestors 'none'/),
		});
		expect(answer.headers.get("x-powered-by")).toBeNull();
		expect(answer.headers.get("strict-transport-security")).toBeNull(); // the demo is not https
	});

	test("with https, HSTS is set, and only forms of the public origin are accepted", async () => {
		const behindProxy = await createTestShop({ variables: { BASE_URL: "https://www.example.fr" } });
		try {
			expect((await behindProxy.ask("/")).headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
			const own = await behindProxy.postForm("/suivi-commande", {}, { origin: "https://www.example.fr" });
			expect(own.status).toBe(400); // the form is empty
			const others = [
				"https://example.fr",
				"https://www.example.fr.elsewhere.example",
				"https://www.example.fr:444",
				"https://my-www.example.fr",
			];
			for (const origin of ["http://www.example.fr", behindProxy.url, ...others])
				expect((await behindProxy.postForm("/suivi-commande", {}, { origin })).status, origin).toBe(403);
			const placed = await behindProxy.postJson("/api/create-payment", paymentRequest());
			expect(((await placed.json()) as { url: string }).url).toMatch(/^https:\/\/www\.example\.fr\/bac-a-sable\//);
		} finally {
			await behindProxy.close();
		}
	});
});

describe("scripts", () => {
	const listScripts = (page: string) =>
		[...page.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => !tag.includes("application/ld+json"));
	const getPolicy = (answer: Response) => answer.headers.get("content-security-policy") ?? "";

	test.each(plainPages)("%s has none and its policy forbids them", async (path) => {
		const answer = await shop.ask(path);
		expect(getPolicy(answer)).toContain("script-src 'none'");
		expect(getPolicy(answer)).not.toContain("nonce");
		const page = await answer.text();
		expect(listScripts(page)).toEqual([]);
		expect(page).not.toMatch(/modulepreload|\son\w+=/);
	});

	test.each(pagesWithScripts)("%s runs only scripts with its nonce", async (path) => {
		const nonces = await Promise.all(
			[1, 2].map(async () => {
				const answer = await shop.ask(path);
				const nonce = /script-src 'nonce-([^']+)' 'strict-dynamic'/.exec(getPolicy(answer))?.[1] ?? "";
				const scripts = listScripts(await answer.text());
				expect(scripts.length).toBeGreaterThan(0);
				for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`);
				expect(getPolicy(answer)).not.toContain("unsafe");
				return nonce;
			}),
		);
		expect(new Set(nonces).size).toBe(2);
		for (const nonce of nonces) expect(nonce.length).toBeGreaterThanOrEqual(22);
	});
});

const fetchEtag = async (path: string) => (await shop.ask(path)).headers.get("etag") ?? "";

describe("caching", () => {
	test("a public page is revalidated, and sent only after a change", async () => {
		const etag = await fetchEtag("/");
		expect(etag).toMatch(/^W\/"[\w-]+"$/);
		expect(await fetchEtag("/")).toBe(etag);
		const known = await shop.ask("/", { headers: { "if-none-match": etag } });
		expect({ status: known.status, body: await known.text(), etag: known.headers.get("etag") }).toEqual({ status: 304, body: "", etag });
		const old = await shop.ask("/", { headers: { "if-none-match": 'W/"old"' } });
		expect({ status: old.status, cache: old.headers.get("cache-control") }).toEqual({
			status: 200,
			cache: "public, max-age=0, s-maxage=60, must-revalidate",
		});
	});

	test("a page that depends on a query is not in shared caches", async () => {
		for (const path of ["/contact?envoye=1", "/ai-je-besoin-d-un-kbis?demande=banque&entreprise=societe"]) {
			const { headers } = await shop.ask(path);
			expect(headers.get("cache-control"), path).toBe("public, max-age=0, must-revalidate");
			expect(headers.get("etag"), path).not.toBeNull();
		}
	});

	test("the response to a form is not cached", async () => {
		const { number } = await shop.placeOrder({ customer: { email: "privee@example.fr" } });
		const answer = await shop.postForm("/retractation", { email: "privee@example.fr", orderId: number });
		expect([answer.status, answer.headers.get("cache-control"), answer.headers.get("etag")]).toEqual([200, "no-store", null]);
		expect(await answer.text()).toContain("privee@example.fr");
	});

	test("static files with a hash in their name never expire", async () => {
		expect((await shop.ask(stylesheet)).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
	});

	test("other static files expire within a day", async () => {
		for (const path of ["/favicon.svg", "/apple-touch-icon.png"]) {
			const { status, headers } = await shop.ask(path);
			expect(status, path).toBe(200);
			const [, seconds] = /^public, max-age=(\d+)$/.exec(headers.get("cache-control") ?? "") ?? [];
			expect(Number(seconds), path).toBeGreaterThan(0);
			expect(Number(seconds), path).toBeLessThanOrEqual(86_400);
		}
	});

	test("a HEAD request does not cache an empty page", async () => {
		expect(await (await shop.ask("/accessibilite", { method: "HEAD" })).text()).toBe("");
		for (let times = 0; times < 2; times++) expect(await (await shop.ask("/accessibilite")).text()).toContain("</html>");
	});

	test.each([
		"/commande",
		"/suivi-commande",
		"/confirmation/cs_test_nobody",
		"/nulle-part",
		"/api/entreprises?q=danone",
		"/readyz",
		"/paiement/reprendre/x",
	])("%s is not cached", async (path) => {
		const answer = await shop.ask(path);
		expect(answer.headers.get("cache-control")).toBe("no-store");
		expect(answer.headers.get("etag")).toBeNull();
	});

	test.each(["/commande/552032534?service=express", "/confirmation/cs_test_nobody", "/suivi/KB-2222-2222", "/documents/x"])(
		"%s sends no referrer path and is not indexed",
		async (path) => {
			const { headers } = await shop.ask(path);
			expect(headers.get("referrer-policy")).toBe("strict-origin");
			expect(headers.get("x-robots-tag")).toBe("noindex");
		},
	);
});

describe("compression", () => {
	const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const;

	test.each(Object.keys(decoders) as (keyof typeof decoders)[])("pages and static files as %s", async (encoding) => {
		for (const path of ["/cgv", "/commande", stylesheet]) {
			const plain = await shop.ask(path, { headers: { "accept-encoding": "identity" } });
			const answer = await shop.ask(path, { headers: { "accept-encoding": encoding } });
			expect(answer.headers.get("content-encoding"), path).toBe(encoding);
			expect(answer.headers.get("vary")?.toLowerCase(), path).toContain("accept-encoding");
			expect(plain.headers.get("content-encoding"), path).toBeNull();
			// fetch decodes by itself; the form has another nonce each time
			if (path !== "/commande") expect(await answer.text()).toBe(await plain.text());
		}
	});

	test("brotli is preferred", async () => {
		const answer = await shop.ask("/", { headers: { "accept-encoding": "gzip, deflate, br" } });
		expect(answer.headers.get("content-encoding")).toBe("br");
	});
});

describe("bodies", () => {
	test("a form is accepted at any spelling of its path: a redirect would lose it", async () => {
		for (const path of ["/contact/", "/Contact"]) {
			const answer = await shop.postForm(path, { nom: "Ada" });
			expect(answer.status, path).toBe(400);
			expect(await answer.text()).toContain('value="Ada"');
		}
	});

	/** Sends a text. @returns the first bytes of the response. */
	async function send(text: string): Promise<string> {
		const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
		socket.write(text);
		const [answer] = (await once(socket, "data")) as [Buffer];
		socket.destroy();
		return answer.toString();
	}
	const head = (length: number) =>
		`POST /suivi-commande HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n\r\n`;

	test("a large body is read to its end, so that the client reads the response; a very large one is cut off", async () => {
		const large = await send(head(300_000) + "a".repeat(300_000));
		expect(large).toMatch(/^HTTP\/1\.1 413 /);
		expect(large).not.toMatch(/^connection: close/im);
		const endless = await send(`${head(40_000_000)}email=`);
		expect(endless).toMatch(/^HTTP\/1\.1 413 /);
		expect(endless).toMatch(/^connection: close/im);
	});
});

describe("a page has one URL", () => {
	test.each([
		["/cgv/", "/cgv"],
		["/nulle/api/", "/nulle/api"],
		["/recherche/?q=danone%20sa", "/recherche?q=danone%20sa"],
		["/services/kbis-express///", "/services/kbis-express"],
		["//elsewhere.example/", "/elsewhere.example"],
		["///", "/"],
	])("%s redirects to %s", async (path, to) => {
		const answer = await shop.ask(shop.url + path, { redirect: "manual" });
		expect([answer.status, answer.headers.get("location")]).toEqual([301, to]);
	});

	test("an unknown path is 404, without a redirect", async () => {
		for (const path of ["//nulle-part", "/nulle//part"]) expect([path, (await shop.ask(shop.url + path)).status]).toEqual([path, 404]);
	});

	test("a page has a canonical link", async () => {
		const page = await (await shop.ask("/cgv")).text();
		for (const named of ['rel="canonical" href="', 'property="og:url" content="']) expect(page).toContain(`${named}${shop.url}/cgv"`);
		expect(page).toContain("/apercu/cgv.png");
	});
});

describe("HEAD", () => {
	test.each([...plainPages, ...pagesWithScripts, "/api/entreprises?q=danone", "/healthz", "/old-commande"])(
		"%s: as GET, without a body",
		async (path) => {
			const [head, get] = [await shop.ask(path, { method: "HEAD" }), await shop.ask(path)];
			expect(await head.text()).toBe("");
			expect(head.status).toBe(get.status);
			for (const header of ["content-type", "cache-control", "etag", "location"])
				expect(head.headers.get(header)).toBe(get.headers.get(header));
		},
	);
});

describe("health checks", () => {
	test("/healthz: the process runs", async () => {
		const answer = await shop.ask("/healthz");
		expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 200, body: "ok" });
	});

	test("/readyz: each part is checked", async () => {
		await untilReadyzAnswers(shop.ask, 200, everyPartWorks);
	});

	test("/readyz: a part that is down is named, and the shop is not ready", async () => {
		const mails = join(shop.shop.environment.dataDir, "mails");
		renameSync(mails, `${mails}-away`);
		writeFileSync(mails, "a file instead of the mail folder");
		await untilReadyzAnswers(shop.ask, 503, { ...everyPartWorks, ok: false, mail: "down" });
		rmSync(mails);
		renameSync(`${mails}-away`, mails);
	});
});
