import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { paymentRequest, type TestShop, testShop } from "./test-shop.ts";

let shop: TestShop;
let stylesheet = "";
let log: string[] = [];
beforeAll(async () => {
	shop = await testShop({ variables: { LOG_LEVEL: "debug" }, onLog: (line) => log.push(line) });
	stylesheet = /\/assets\/[\w.-]+\.css/.exec(await (await shop.ask("/")).text())?.[0] ?? "";
});
beforeEach(() => {
	log = [];
});
afterAll(() => shop?.close());

const plainPages = ["/", "/cgv", "/politique-confidentialite", "/nulle-part"];
const pagesWithScripts = ["/commande", "/suivi-commande"];
const logged = () => log.map((line) => JSON.parse(line) as { level: number; msg: string; error?: string; route?: string; status?: number });

describe("every answer is guarded", () => {
	const answers: [string, number, () => Promise<Response>][] = [
		["a page without scripts", 200, () => shop.ask("/")],
		["a page with scripts", 200, () => shop.ask("/commande")],
		["JSON", 200, () => shop.ask("/api/entreprises?q=danone")],
		["an error in JSON", 404, () => shop.ask("/api/entreprises/999999999")],
		["a static file", 200, () => shop.ask(stylesheet)],
		["an icon", 200, () => shop.ask("/favicon.svg")],
		["a page that does not exist", 404, () => shop.ask("/nulle-part")],
		["a static file that does not exist", 404, () => shop.ask("/assets/nothing.js")],
		["a redirection for good", 301, () => shop.ask("/old-commande")],
		["a redirection", 302, () => shop.ask("/paiement")],
		["a page that was not modified", 304, async () => shop.ask("/", { headers: { "if-none-match": await etagOf("/") } })],
		["a body too large", 413, () => shop.postForm("/suivi-commande", { email: "a".repeat(300_000) })],
		["another site's form", 403, () => shop.postForm("/suivi-commande", {}, { origin: "https://elsewhere.example" })],
		["an unreadable address", 400, () => shop.ask("/%E0%A4%A")],
		["a wrong method", 405, () => shop.ask("/cgv", { method: "DELETE" })],
		["the probe", 200, () => shop.ask("/healthz")],
	];

	test.each(answers)("%s (%i)", async (_what, status, ask) => {
		const answer = await ask();
		expect(answer.status).toBe(status);
		expect(Object.fromEntries(answer.headers)).toMatchObject({
			"x-content-type-options": "nosniff",
			"x-frame-options": "DENY",
			"referrer-policy": expect.stringMatching(/^strict-origin/),
			"permissions-policy": expect.stringContaining("camera=()"),
			"cross-origin-opener-policy": "same-origin",
			"content-security-policy": expect.stringMatching(/default-src 'none';.*frame-ancestors 'none'/),
		});
		expect(answer.headers.get("x-powered-by")).toBeNull();
		expect(answer.headers.get("strict-transport-security")).toBeNull(); // the demo is not https
	});

	test("behind https, browsers are told to stay there, and the shop's own forms are known by its public name", async () => {
		const behindProxy = await testShop({ variables: { BASE_URL: "https://www.example.fr" } });
		try {
			expect((await behindProxy.ask("/")).headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
			const own = await behindProxy.postForm("/suivi-commande", {}, { origin: "https://www.example.fr" });
			expect(own.status).toBe(400); // of an empty form
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
			cache: "public, max-age=0, must-revalidate",
		});
	});

	test("static files with a hash in their name are kept for good", async () => {
		expect((await shop.ask(stylesheet)).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
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
			const answer = await shop.ask(path, { headers: { "accept-encoding": encoding } });
			expect(answer.headers.get("content-encoding"), path).toBe(encoding);
			expect(answer.headers.get("vary")?.toLowerCase(), path).toContain("accept-encoding");
			const plain = await shop.ask(path, { headers: { "accept-encoding": "identity" } });
			expect(plain.headers.get("content-encoding"), path).toBeNull();
			if (path !== "/commande") expect(await answer.text()).toBe(await plain.text()); // fetch decodes by itself
		}
	});

	test("the best that is accepted is chosen", async () => {
		const answer = await shop.ask("/", { headers: { "accept-encoding": "gzip, deflate, br" } });
		expect(answer.headers.get("content-encoding")).toBe("br");
	});
});

describe("the API says no in JSON", () => {
	const json = { "content-type": expect.stringContaining("application/json"), "cache-control": "no-store" };
	test.each<[string, string, number]>([
		["GET", "/api", 404],
		["GET", "/api/", 404],
		["GET", "/api/inconnue", 404],
		["POST", "/api/inconnue", 404],
		["GET", "/api/entreprises/999999999", 404],
		["GET", "/api/entreprises/abc", 404],
		["GET", "/api/create-payment", 405],
		["PUT", "/api/create-payment", 405],
		["GET", "/api/suivi", 405],
		["DELETE", "/api/suivi", 405],
		["GET", "/api/stripe/webhook", 405],
		["PUT", "/api/stripe/webhook", 405],
		["POST", "/api/entreprises", 405],
		["DELETE", "/api/entreprises/552032534", 405],
		["POST", "/api/adresse/search", 405],
		["GET", "/api/%E0%A4%A", 400],
		["GET", "/api/entreprises?q=%00", 400],
	])("%s %s: %i", async (method, path, status) => {
		const answer = await shop.ask(path, { method });
		expect(answer.status).toBe(status);
		expect(Object.fromEntries(answer.headers)).toMatchObject(json);
		expect(await answer.json()).toEqual({ error: expect.stringMatching(/^[A-ZÀÉ].*[^ ]$/) });
	});

	test("a body too large, and another site's page", async () => {
		const large = await shop.postJson("/api/suivi", { email: "a".repeat(300_000) });
		expect({ status: large.status, body: await large.json() }).toEqual({
			status: 413,
			body: { error: "Votre envoi est trop volumineux." },
		});
		const foreign = await shop.postJson("/api/suivi", {}, { origin: "https://elsewhere.example" });
		expect({ status: foreign.status, body: await foreign.json() }).toEqual({
			status: 403,
			body: { error: expect.stringMatching(/autre site/) },
		});
	});
});

describe("addresses that nobody wrote by hand", () => {
	const paths = [
		"",
		"entreprise/",
		"commande/",
		"confirmation/",
		"bac-a-sable/",
		"suivi/",
		"documents/",
		"paiement/reprendre/",
		"api/entreprises/",
	];
	const oddities = [
		"%E0%A4%A",
		"%00",
		"a%00b",
		"%",
		"%zz",
		"%2e%2e%2f",
		"..%5c..%5c",
		"%FF%FE",
		"%0d%0aset-cookie:x",
		"<script>",
		"'--",
		"😀",
		"a".repeat(5000),
	];

	test.each(paths)("/%s… is never a fault of the shop", async (path) => {
		for (const oddity of oddities) {
			const answer = await shop.ask(`/${path}${oddity}`);
			expect(answer.status, oddity).toBeLessThan(500);
			expect(answer.headers.get("set-cookie")).toBeNull();
			expect(await answer.text()).not.toMatch(/node_modules|<script>alert| at \w+ \(/);
		}
		expect(logged().filter(({ level }) => level >= 50)).toEqual([]);
	});

	test.each([
		"/recherche?q=",
		"/recherche?page=",
		"/recherche?departement=",
		"/api/entreprises?q=",
		"/api/entreprises?page=",
		"/api/entreprises/suggestions?q=",
		"/api/adresse/search?postcode=",
		"/api/adresse/search?limit=",
		"/commande?email=",
		"/paiement?siren=",
		"/entreprise/552032534?back=",
	])("%s…, too", async (path) => {
		for (const oddity of oddities) expect((await shop.ask(path + oddity)).status, oddity).toBeLessThan(500);
		expect(logged().filter(({ level }) => level >= 50)).toEqual([]);
	});

	test("an unreadable address is answered by a page of the shop", async () => {
		const answer = await shop.ask("/entreprise/%E0%A4%A");
		expect(answer.status).toBe(400);
		expect(await answer.text()).toContain("L’adresse demandée est mal formée.");
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

describe("forms of other sites", () => {
	test.each(["https://elsewhere.example", "http://127.0.0.1:1", "null", "not an address", "http://127.0.0.1.elsewhere.example"])(
		"from %s: refused by a page, and no fault of ours in the log",
		async (origin) => {
			for (const path of ["/suivi-commande", "/commande", "/paiement?x=1", "/suivi-commande.data"]) {
				const answer = await shop.postForm(path, { email: "ada@example.fr", orderId: "KB-2222-2222" }, { origin });
				expect(answer.status, path).toBe(403);
				expect(await answer.text()).toContain("Cette demande vient d’un autre site : elle est refusée.");
			}
			expect(logged().map(({ msg, level }) => [msg, level])).toEqual(Array(4).fill(["request", 30]));
			expect(log.join()).not.toMatch(/ at |stack/);
		},
	);

	test("of this one are welcome, and so is who names no origin", async () => {
		const fields = { email: "ada@example.fr", orderId: "KB-2222-2222" };
		expect((await shop.postForm("/suivi-commande", fields, { origin: shop.url })).status).toBe(404);
		expect((await shop.postForm("/suivi-commande", fields)).status).toBe(404);
	});

	test("reading is free", async () => {
		expect((await shop.ask("/", { headers: { origin: "https://elsewhere.example" } })).status).toBe(200);
	});
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

describe("the log", () => {
	test("follows an order from page to document, and knows nobody", async () => {
		const customer = {
			email: "augusta.ada@recognisable.example",
			firstName: "Augusta",
			lastName: "Lovelace-Byron",
			address: "13 rue Reconnaissable",
		};
		const query = new URLSearchParams({ siren: "552032534", service: "express", ...customer });
		await shop.ask(`/commande?${query}`);
		await shop.ask(`/paiement?${query}`);
		await shop.postForm(`/paiement?${query}`, { acceptTerms: "on", amount: "1" });
		const placed = await shop.placeOrder({ customer });
		const paymentPage = await (await shop.ask(placed.payUrl)).text();
		const resume = /\/paiement\/reprendre\/[\w.-]+/.exec(paymentPage)?.[0] ?? "";
		await shop.ask(resume);
		await shop.payByCard(placed.payUrl, "4000 0000 0000 0002");
		await shop.payByCard(placed.payUrl);
		await shop.untilOrderIs("completed", placed.id);
		const [mail] = await shop.mailsOf(placed, "document-ready");
		const document = /\/documents\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
		await shop.ask(document);
		await shop.ask(`${document}x`);
		await shop.ask(`/confirmation/${placed.sessionId}`);
		await shop.ask(`/confirmation/${placed.sessionId}.data`);
		const found = await shop.postForm("/suivi-commande", { email: customer.email, orderId: placed.number });
		await shop.ask(`/suivi/${placed.number}`, { headers: { cookie: found.headers.get("set-cookie")?.split(";")[0] ?? "" } });
		await shop.postJson("/api/suivi", { email: customer.email, orderId: placed.number });
		await shop.ask(`/nulle-part/${customer.email}?email=${customer.email}`);

		const routes = logged().map(({ route }) => route);
		for (const route of [
			"/paiement",
			"/bac-a-sable/:sessionId",
			"/documents/:token",
			"/suivi-commande",
			"/api/suivi",
			"/api/stripe/webhook",
		])
			expect(routes).toContain(route);
		const all = log.join("\n");
		const secrets = [...Object.values(customer), placed.number, placed.sessionId, resume, document, "4242", "suivi=", "127.0.0.1"];
		for (const secret of secrets) {
			expect(secret).toBeTruthy();
			for (const written of [secret, encodeURIComponent(secret)]) expect(all).not.toContain(written);
		}
	});
});
