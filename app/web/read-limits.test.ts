import { afterEach, describe, expect, test, vi } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { createReadLimits } from "./read-limits.ts";

let shop: TestShop | undefined;
afterEach(() => shop?.close());
const createLimitedShop = async (limits: string, variables: Record<string, string> = {}) => {
	shop = await createTestShop({ variables: { READ_LIMITS: limits, TRUSTED_PROXIES: "1", ...variables } });
	return shop;
};
const clientHeaders = (client: string) => ({ headers: { "x-forwarded-for": client } });
const burst = (shop: TestShop, path: string, size: number, client = "203.0.113.5", init: RequestInit = {}) =>
	Promise.all(Array.from({ length: size }, () => shop.ask(path, { ...clientHeaders(client), ...init })));
const sentence = "Trop de demandes ont été envoyées en peu de temps. Réessayez dans une minute.";

test.each([
	["/recherche?q=danone", "text/html", ["/Recherche.data?q=danone", "/api/entreprises?q=danone", "//api/%65ntreprises?q=danone"]],
	["/recherche.data?q=danone", "text/plain", ["/recherche?q=danone"]],
	["/api/entreprises?q=danone", "application/json", ["/recherche?q=danone", "/api/entreprises/552032534/annonces"]],
	["/api/entreprises/suggestions?q=danone", "application/json", []],
	["/api/adresse/search?q=paris", "application/json", []],
	["/apercu/tarifs.png?x=1", "text/plain", ["/apercu.png?y=2"]],
	["/sitemap-entreprises-9.xml", "text/plain", ["/sitemap-entreprises-8.xml"]],
	["/verifier?empreinte=abc", "text/html", ["/api/verifier?empreinte=abc"]],
	["/confirmation/cs_test_x", "text/html", ["/confirmation/cs_test_y", "/suivi/KB-2222-2222", "/paiement/reprendre/x"]],
])("a limit of three lets three of many requests of %s pass", async (path, type, alsoRefused) => {
	const shop = await createLimitedShop("searches=3,suggestions=3,cities=3,pictures=3,sitemaps=3,orders=3,verifications=3");
	const answers = await burst(shop, path, 40);
	const refused = answers.filter(({ status }) => status === 429);
	expect(refused).toHaveLength(37);
	for (const answer of refused) {
		expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(answer.headers.get("content-type")).toContain(type);
		const text = await answer.text();
		if (type === "application/json") expect(JSON.parse(text)).toEqual({ error: sentence });
		else expect(text).toContain(sentence);
		if (type === "text/html") expect(text).toContain("<footer");
	}
	for (const other of alsoRefused) {
		const answer = await fetch(shop.url + other, clientHeaders("203.0.113.5"));
		expect(answer.status, other).toBe(429);
	}
	expect((await shop.ask(path, clientHeaders("198.51.100.9"))).status).not.toBe(429);
});

test("a company search by form, without JavaScript, counts as a suggestion", async () => {
	const shop = await createLimitedShop("suggestions=3");
	const body = () => new URLSearchParams({ intent: "find-company", companyQuery: "danone" });
	const answers = await Promise.all(
		Array.from({ length: 10 }, () => shop.ask("/commande", { method: "POST", body: body(), ...clientHeaders("203.0.113.5") })),
	);
	expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
});

test("cheap requests are not counted: cached pages, texts, robots, an empty search", async () => {
	const shop = await createLimitedShop("pages=1,searches=1,suggestions=1,cities=1,pictures=1,sitemaps=1");
	const read = async (path: string) => (await shop.ask(path, clientHeaders("203.0.113.5"))).status;
	for (const path of ["/apercu/tarifs.png", "/sitemap-entreprises-1.xml"]) {
		expect(await (await shop.ask(path, clientHeaders("203.0.113.5"))).arrayBuffer()).toBeTruthy(); // fills the cache
		for (let times = 0; times < 5; times++) expect(await read(path), path).toBe(200);
	}
	for (const path of ["/entreprise/552032534", "/cgv", "/robots.txt", "/recherche", "/recherche?q=%20"])
		for (let times = 0; times < 5; times++) expect(await read(path), path).toBe(200);
});

test("READ_LIMITS=off disables the limits", async () => {
	const shop = await createLimitedShop("off");
	expect((await burst(shop, "/api/adresse/search?q=paris", 350)).every(({ status }) => status === 200)).toBe(true);
});

describe("createReadLimits", () => {
	const onePoint = {
		pages: 1,
		searches: 1,
		suggestions: 1,
		lists: 1,
		cities: 1,
		pictures: 1,
		sitemaps: 1,
		orders: 1,
		archives: 20,
		verifications: 1,
	};
	const createTake = (limits: Parameters<typeof createReadLimits>[0]) => {
		const { take } = createReadLimits(limits);
		return async (method: string, pattern: string, query = "", client = "203.0.113.5") =>
			(await take(new Request(`http://localhost/x${query}`, { method }), pattern, client)).ok;
	};

	// requests that cost the database, the payment provider or the processor much
	test.each([
		["GET", "/entreprise/:siren", ""],
		["HEAD", "/entreprise/:siren", ""],
		["GET", "/entreprise/:siren/alerte", ""],
		["GET", "/api/entreprises/:siren", ""],
		["GET", "/status-systeme", ""],
		["HEAD", "/status-systeme", ""],
		["GET", "/recherche", "?q=danone"],
		["HEAD", "/recherche", "?q=danone"],
		["GET", "/api/entreprises", ""],
		["HEAD", "/api/entreprises", ""],
		["GET", "/api/entreprises/:siren/annonces", ""],
		["HEAD", "/api/entreprises/:siren/annonces", ""],
		["GET", "/api/entreprises/suggestions", ""],
		["HEAD", "/api/entreprises/suggestions", ""],
		["POST", "/commande", ""],
		["POST", "/commande/:siren", ""],
		["GET", "/commande/plusieurs", "?commande=x"],
		["HEAD", "/commande/plusieurs", "?commande=x"],
		["POST", "/commande/plusieurs", ""],
		["GET", "/api/adresse/search", ""],
		["HEAD", "/api/adresse/search", ""],
		["GET", "/apercu.png", ""],
		["GET", "/apercu/*", ""],
		["HEAD", "/apercu/*", ""],
		["GET", "/:file.xml", ""],
		["HEAD", "/:file.xml", ""],
		["GET", "/verifier", "?empreinte=abc"],
		["HEAD", "/verifier", "?empreinte=abc"],
		["GET", "/api/verifier", ""],
		["GET", "/confirmation/:sessionId?", ""],
		["HEAD", "/confirmation/:sessionId?", ""],
		["POST", "/confirmation/:sessionId?", ""],
		["GET", "/suivi/:number", ""],
		["HEAD", "/suivi/:number", ""],
		["POST", "/suivi/:number", ""],
		["GET", "/suivi/:number/facture", ""],
		["HEAD", "/suivi/:number/facture", ""],
		["POST", "/suivi/:number/facture", ""],
		["GET", "/paiement/reprendre/:token", ""],
		["HEAD", "/paiement/reprendre/:token", ""],
		["POST", "/paiement/reprendre/:token", ""],
	])("counts %s %s%s", async (method, pattern, query) => {
		const take = createTake(onePoint);
		expect([await take(method, pattern, query), await take(method, pattern, query)]).toEqual([true, false]);
		expect(await take(method, pattern, query, "198.51.100.9")).toBe(true);
	});

	test.each([
		["GET", "/", ""],
		["GET", "/recherche", ""],
		["GET", "/recherche", "?q=%20&departement=75"],
		["GET", "/commande", ""],
		["GET", "/commande/:siren", ""],
		["GET", "/commande/plusieurs", ""],
		["GET", "/suivi-commande", ""],
		["GET", "/verifier", ""],
		["GET", "/verifier/:document", ""],
		["GET", "/sitemap.xml", ""],
		["POST", "/api/stripe/webhook", ""],
	])("does not count %s %s%s", async (method, pattern, query) => {
		const take = createTake(onePoint);
		for (let times = 0; times < 5; times++) expect(await take(method, pattern, query)).toBe(true);
	});

	test("routes of one limit share its points", async () => {
		const take = createTake(onePoint);
		expect(await take("GET", "/recherche", "?q=a")).toBe(true);
		expect(await take("GET", "/api/entreprises")).toBe(false);
		expect(await take("GET", "/api/entreprises/suggestions")).toBe(true);
		expect(await take("POST", "/commande/:siren")).toBe(false);
		expect(await take("GET", "/apercu.png")).toBe(true);
		expect(await take("GET", "/apercu/*")).toBe(false);
		expect(await take("GET", "/suivi/:number")).toBe(true);
		expect(await take("POST", "/paiement/reprendre/:token")).toBe(false);
	});

	test("points return a minute after the first was taken", async () => {
		vi.useFakeTimers();
		try {
			const take = createTake({ ...onePoint, cities: 2 });
			const ask = () => take("GET", "/api/adresse/search");
			expect(await ask()).toBe(true);
			await vi.advanceTimersByTimeAsync(30_000);
			expect([await ask(), await ask()]).toEqual([true, false]);
			await vi.advanceTimersByTimeAsync(29_000);
			expect(await ask()).toBe(false);
			await vi.advanceTimersByTimeAsync(1001);
			expect([await ask(), await ask(), await ask()]).toEqual([true, true, false]);
		} finally {
			vi.useRealTimers();
		}
	});
});
