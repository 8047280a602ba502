import { once } from "node:events";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestShop, paymentRequest, type TestShop } from "../../test/shop.ts";

let shop: TestShop;
let stylesheet = "";
beforeAll(async () => {
	shop = await createTestShop();
	stylesheet = /\/assets\/[\w.-]+\.css/.exec(await (await shop.ask("/")).text())?.[0] ?? "";
});
afterAll(() => shop?.close());

const plainPages = ["/", "/cgv", "/politique-confidentialite", "/nulle-part"];
const pagesWithScripts = ["/commande", "/suivi-commande"];

describe("every answer is guarded", () => {
	const answers: [string, number, () => Promise<Response>][] = [
		["a page without scripts", 200, () => shop.ask("/")],
		["a page with scripts", 200, () => shop.ask("/commande")],
		["JSON", 200, () => shop.ask("/api/entreprises?q=danone")],
		["an error in JSON", 404, () => shop.ask("/api/entreprises/999999999")],
		["a static file", 200, () => shop.ask(stylesheet)],
		["an icon", 200, () => shop.ask("/favicon.svg")],
		["a preview picture", 200, () => shop.ask("/apercu/tarifs.png")],
		["a page that does not exist", 404, () => shop.ask("/nulle-part")],
		["a static file that does not exist", 404, () => shop.ask("/assets/nothing.js")],
		["a redirection for good", 301, () => shop.ask("/old-commande")],
		["a redirection", 302, () => shop.ask("/paiement")],
		["a page that was not modified", 304, async () => shop.ask("/", { headers: { "if-none-match": await etagOf("/") } })],
		["a body too large", 413, () => shop.postForm("/suivi-commande", { email: "a".repeat(300_000) })],
		["another site's form", 403, () => shop.postForm("/suivi-commande", {}, { origin: "https://elsewhere.example" })],
		["an unreadable address", 400, () => shop.ask("/%E0%A4%A")],
		["a wrong method", 405, () => shop.ask("/cgv", { method: "DELETE" })],
		["an address too long", 414, () => shop.ask(`/${"a".repeat(3000)}`)],
		["the probe", 200, () => shop.ask("/healthz")],
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

	test("behind https, browsers are told to stay there, and the shop's own forms are known by its public name", async () => {
		const behindProxy = await createTestShop({ variables: { BASE_URL: "https://www.example.fr" } });
		try {
			expect((await behindProxy.ask("/")).headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
			const own = await behindProxy.postForm("/suivi-commande", {}, { origin: "https://www.example.fr" });
			expect(own.status).toBe(400); // of an empty form
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
	const scriptsOf = (page: string) =>
		[...page.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => !tag.includes("application/ld+json"));
	const policyOf = (answer: Response) => answer.headers.get("content-security-policy") ?? "";

	test.each(plainPages)("%s ships none, and would run none", async (path) => {
		const answer = await shop.ask(path);
		expect(policyOf(answer)).toContain("script-src 'none'");
		expect(policyOf(answer)).not.toContain("nonce");
		const page = await answer.text();
		expect(scriptsOf(page)).toEqual([]);
		expect(page).not.toMatch(/modulepreload|\son\w+=/);
	});

	test.each(pagesWithScripts)("%s runs its own, known by a number used once", async (path) => {
		const numbers = await Promise.all(
			[1, 2].map(async () => {
				const answer = await shop.ask(path);
				const nonce = /script-src 'nonce-([^']+)' 'strict-dynamic'/.exec(policyOf(answer))?.[1] ?? "";
				const scripts = scriptsOf(await answer.text());
				expect(scripts.length).toBeGreaterThan(0);
				for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`);
				expect(policyOf(answer)).not.toContain("unsafe");
				return nonce;
			}),
		);
		expect(new Set(numbers).size).toBe(2);
		for (const nonce of numbers) expect(nonce.length).toBeGreaterThanOrEqual(22);
	});
});

const etagOf = async (path: string) => (await shop.ask(path)).headers.get("etag") ?? "";

describe("caching", () => {
	test("a public page is asked for again, and sent only when it changed", async () => {
		const etag = await etagOf("/");
		expect(etag).toMatch(/^W\/"[\w-]+"$/);
		expect(await etagOf("/")).toBe(etag);
		const known = await shop.ask("/", { headers: { "if-none-match": etag } });
		expect({ status: known.status, body: await known.text(), etag: known.headers.get("etag") }).toEqual({ status: 304, body: "", etag });
		const old = await shop.ask("/", { headers: { "if-none-match": 'W/"old"' } });
		expect({ status: old.status, cache: old.headers.get("cache-control") }).toEqual({
			status: 200,
			cache: "public, max-age=0, s-maxage=60, must-revalidate",
		});
	});

	test("a page that depends on a query is not kept for others", async () => {
		for (const path of ["/contact?envoye=1", "/ai-je-besoin-d-un-kbis?demande=banque&entreprise=societe"]) {
			const { headers } = await shop.ask(path);
			expect(headers.get("cache-control"), path).toBe("public, max-age=0, must-revalidate");
			expect(headers.get("etag"), path).not.toBeNull();
		}
	});

	test("what is sent with a form is kept nowhere", async () => {
		const { number } = await shop.placeOrder({ customer: { email: "privee@example.fr" } });
		const answer = await shop.postForm("/retractation", { email: "privee@example.fr", orderId: number });
		expect([answer.status, answer.headers.get("cache-control"), answer.headers.get("etag")]).toEqual([200, "no-store", null]);
		expect(await answer.text()).toContain("privee@example.fr");
	});

	test("static files with a hash in their name are kept for good", async () => {
		expect((await shop.ask(stylesheet)).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
	});

	test("other static files are asked for again within a day", async () => {
		for (const path of ["/favicon.svg", "/apple-touch-icon.png"]) {
			const { status, headers } = await shop.ask(path);
			expect(status, path).toBe(200);
			const [, seconds] = /^public, max-age=(\d+)$/.exec(headers.get("cache-control") ?? "") ?? [];
			expect(Number(seconds), path).toBeGreaterThan(0);
			expect(Number(seconds), path).toBeLessThanOrEqual(86_400);
		}
	});

	test("what is kept for all is a whole page, although somebody asked for its headers first", async () => {
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
	])("%s is kept nowhere", async (path) => {
		const answer = await shop.ask(path);
		expect(answer.headers.get("cache-control")).toBe("no-store");
		expect(answer.headers.get("etag")).toBeNull();
	});

	test.each(["/commande/552032534?service=express", "/confirmation/cs_test_nobody", "/suivi/KB-2222-2222", "/documents/x"])(
		"%s tells its address to nobody, and is not indexed",
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
		for (const path of ["/", "/commande", stylesheet]) {
			const plain = await shop.ask(path, { headers: { "accept-encoding": "identity" } });
			const answer = await shop.ask(path, { headers: { "accept-encoding": encoding } });
			expect(answer.headers.get("content-encoding"), path).toBe(encoding);
			expect(answer.headers.get("vary")?.toLowerCase(), path).toContain("accept-encoding");
			expect(plain.headers.get("content-encoding"), path).toBeNull();
			// fetch decodes by itself; a page may be rendered anew between two requests
			const again = await shop.ask(path, { headers: { "accept-encoding": "identity" } });
			if (path !== "/commande") expect([await plain.text(), await again.text()]).toContain(await answer.text());
		}
	});

	test("the best that is accepted is chosen", async () => {
		const answer = await shop.ask("/", { headers: { "accept-encoding": "gzip, deflate, br" } });
		expect(answer.headers.get("content-encoding")).toBe("br");
	});
});

describe("bodies", () => {
	test("a form is taken where it was sent, also at another spelling of its page's address: a redirection would lose it", async () => {
		for (const path of ["/contact/", "/Contact"]) {
			const answer = await shop.postForm(path, { nom: "Ada" });
			expect(answer.status, path).toBe(400);
			expect(await answer.text()).toContain('value="Ada"');
		}
	});

	/** Sends bytes, and reads what comes back first. */
	async function send(text: string): Promise<string> {
		const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
		socket.write(text);
		const [answer] = (await once(socket, "data")) as [Buffer];
		socket.destroy();
		return answer.toString();
	}
	const head = (length: number) =>
		`POST /suivi-commande HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n\r\n`;

	test("one that is too large is read to its end, for its sender to read the answer; one without an end in sight is cut off", async () => {
		const large = await send(head(300_000) + "a".repeat(300_000));
		expect(large).toMatch(/^HTTP\/1\.1 413 /);
		expect(large).not.toMatch(/^connection: close/im);
		const endless = await send(`${head(40_000_000)}email=`);
		expect(endless).toMatch(/^HTTP\/1\.1 413 /);
		expect(endless).toMatch(/^connection: close/im);
	});

	test("a quarter of a megabyte is taken", async () => {
		const answer = await shop.postForm("/suivi-commande", { email: "a".repeat(262_144 - 6) });
		expect(answer.status).toBe(400);
	});
});

describe("a page has one address", () => {
	test.each([
		["/cgv/", "/cgv"],
		["/nulle/api/", "/nulle/api"],
		["/recherche/?q=danone%20sa", "/recherche?q=danone%20sa"],
		["/services/kbis-express///", "/services/kbis-express"],
		["//elsewhere.example/", "/elsewhere.example"],
		["///", "/"],
	])("%s leads to %s", async (path, to) => {
		const answer = await shop.ask(shop.url + path, { redirect: "manual" });
		expect([answer.status, answer.headers.get("location")]).toEqual([301, to]);
	});

	test("a path that no page has is answered with 404, without a redirect", async () => {
		for (const path of ["//nulle-part", "/nulle//part"]) expect([path, (await shop.ask(shop.url + path)).status]).toEqual([path, 404]);
	});

	test("it names it to search engines", async () => {
		const page = await (await shop.ask("/cgv")).text();
		for (const named of ['rel="canonical" href="', 'property="og:url" content="']) expect(page).toContain(`${named}${shop.url}/cgv"`);
		expect(page).toContain("/apercu/cgv.png");
	});
});

describe("HEAD", () => {
	test.each([...plainPages, ...pagesWithScripts, "/api/entreprises?q=danone", "/healthz", "/old-commande"])(
		"%s: the same, without a body",
		async (path) => {
			const [head, get] = [await shop.ask(path, { method: "HEAD" }), await shop.ask(path)];
			expect(await head.text()).toBe("");
			expect(head.status).toBe(get.status);
			for (const header of ["content-type", "cache-control", "etag", "location"])
				expect(head.headers.get(header)).toBe(get.headers.get(header));
		},
	);
});

describe("probes", () => {
	test("/healthz: the process lives", async () => {
		const answer = await shop.ask("/healthz");
		expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 200, body: "ok" });
	});

	test("/readyz: each part is asked", async () => {
		const answer = await shop.ask("/readyz");
		expect({ status: answer.status, body: await answer.json() }).toEqual({
			status: 200,
			body: { ok: true, database: "ok", jobs: "ok", storage: "ok", mail: "ok", payment: "ok" },
		});
	});

	test("/readyz: a part that is down is named, and the shop is not ready", async () => {
		const mails = join(shop.shop.environment.dataDir, "mails");
		renameSync(mails, `${mails}-away`);
		writeFileSync(mails, "a file where the letter box should be");
		const answer = await shop.ask("/readyz");
		rmSync(mails);
		renameSync(`${mails}-away`, mails);
		expect({ status: answer.status, body: await answer.json() }).toMatchObject({
			status: 503,
			body: { ok: false, mail: "down", storage: "ok" },
		});
	});
});
