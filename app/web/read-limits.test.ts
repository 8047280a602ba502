import { afterEach, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";

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
